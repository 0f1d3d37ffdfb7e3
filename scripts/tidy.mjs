// House rules that no compiler knows. Every finding says what to do instead.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const folders = ['bin', 'src', 'console', 'test'];
const files = new Map(
  folders
    .flatMap((folder) => sourcesBelow(folder))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);
const findings = [...bannedCalls(), ...longFiles(), ...unusedExports()];
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else console.log(`tidy: ${files.size} files, nothing to complain about`);

function sourcesBelow(path) {
  const full = join(root, path);
  if (!statSync(full).isDirectory()) return /^bin|\.(ts|tsx)$/.test(path) ? [path] : [];
  return readdirSync(full)
    .sort()
    .flatMap((name) => sourcesBelow(join(path, name)));
}

/** Time and chance come from the ports, so that a seed replays to the same bytes. */
function bannedCalls() {
  const banned = [
    [/\bDate\.now\(/, 'take the time from the Clock port'],
    [/\bnew Date\(\)/, 'take the time from the Clock port'],
    [/\bperformance\.now\(/, 'take the time from the Clock port'],
    [/(?<!\.)\b(setTimeout|setInterval|setImmediate)\(/, 'schedule on the Clock port'],
    [/\bMath\.random\(/, 'draw from the Random port'],
    [/\brandomUUID\(/, 'draw from the Random port'],
    [/\b(FIXME|XXX|HACK)\b/, 'finish it or open an issue'],
    [/\b(it|test|describe)\.only\(/, 'run all tests'],
  ];
  const found = [];
  for (const [path, text] of files) {
    if (path.startsWith('src/adapters/system/') || path.startsWith('console/')) continue;
    text.split('\n').forEach((line, index) => {
      if (/^\s*(\*|\/\/|\/\*)/.test(line)) return;
      for (const [pattern, instead] of banned) {
        if (pattern.test(line))
          found.push(`${path}:${index + 1}: ${pattern.source} is banned: ${instead}`);
      }
    });
  }
  return found;
}

function longFiles() {
  const limit = 400;
  return [...files]
    .filter(([path, text]) => !path.endsWith('.test.ts') && text.split('\n').length > limit)
    .map(
      ([path, text]) =>
        `${path}: ${text.split('\n').length} lines, more than ${limit}: split it by subject`,
    );
}

/**
 * Functions, constants and classes that no other file mentions. Types are spared: they name the parts of
 * an exported signature. The name alone is searched, which errs towards silence.
 */
function unusedExports() {
  const words = new Map(
    [...files].map(([path, text]) => [path, new Set(text.match(/[A-Za-z_$][\w$]*/g))]),
  );
  const found = [];
  for (const [path, text] of files) {
    for (const [, name] of text.matchAll(
      /^export (?:async )?(?:function\*?|const|class) ([\w$]+)/gm,
    )) {
      const isUsed = [...words].some(([other, set]) => other !== path && set.has(name));
      if (!isUsed)
        found.push(
          `${path}: export ${name} is used nowhere else: remove the word export, or the thing`,
        );
    }
  }
  return found;
}
