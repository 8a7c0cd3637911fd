import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { plainTests, windowTests } from '../../scripts/lib/steps.mjs';
import config from './vitest.config.ts';

const steps = [...plainTests, ...windowTests];

it('runs every project of the test runner as a step of npm test', () => {
  const projects = (config.test?.projects ?? []).map((project) => (typeof project === 'object' && 'test' in project ? project.test.name : project));
  expect(projects.toSorted()).toEqual(steps.toSorted());
});

it('leaves no test file outside the folders that are run', () => {
  const files = readdirSync(fileURLToPath(new URL('..', import.meta.url)), { recursive: true, encoding: 'utf8' }).filter((path) => /\.(test|spec)\.[cm]?[jt]sx?$/.test(path));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((path) => !steps.some((step) => new RegExp(`^${step}[\\\\/].*\\.test\\.tsx?$`).test(path)))).toEqual([]);
});
