import { readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { controllerCommand } from './controller.ts';
import { convertCommand } from './convert.ts';
import { crdsCommand } from './crds.ts';
import { lintCommand } from './lint.ts';
import { planCommand } from './plan.ts';
import { startCommand } from './start.ts';
import { worldCommand } from './world.ts';

const folder = new URL('../../docs/', import.meta.url);
const pages = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');

/** Flags of the command that no page of the manual names. */
function undocumented(command: Command): readonly string[] {
  return command.options
    .map(({ long }) => long ?? '')
    .filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(pages));
}

describe('the manual names every flag', () => {
  const commands = [
    controllerCommand(),
    startCommand(),
    worldCommand(),
    planCommand(),
    convertCommand(),
    lintCommand(),
    crdsCommand(),
  ];
  test.each(commands.map((command) => [command.name(), command] as const))(
    'of karpenter %s',
    (_name, command) => {
      expect(command.options.length).toBeGreaterThan(0);
      expect(undocumented(command)).toEqual([]);
    },
  );

  test('and the variable that sets it, of the controller', () => {
    const rows = pages.split('\n').filter((line) => line.startsWith('| `--'));
    const missing = controllerCommand().options.filter(
      ({ long, envVar }) =>
        envVar !== undefined &&
        !rows.some((row) => row.startsWith(`| \`${long}\` | \`${envVar}\` |`)),
    );
    expect(missing.map(({ long, envVar }) => `${long} ${envVar}`)).toEqual([]);
  });
});
