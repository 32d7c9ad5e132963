// Read lines of {text, path} and print, for each, the kind that the reader in JavaScript proves, or null.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { check, read, Refused, table } from "./certificate_check.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { text, path } = JSON.parse(line);
  try {
    const certificate = read(text);
    const found = await check(certificate, table(readFileSync(path, "utf-8"), certificate));
    console.log(JSON.stringify(found));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.log(JSON.stringify({ kind: null, why: error.message }));
  }
}
