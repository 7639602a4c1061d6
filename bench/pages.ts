/** What pages load before they are drawn, and the table of it in docs/bench.md. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dayIn } from '@ordinator/model/zone'
import { freshWeb } from './browser.ts'
import { readSizes, type Weight, weights } from './pageWeights.ts'
import type { Part } from './table.ts'

const ROOT = join(import.meta.dirname, '..')
const DOCS = join(ROOT, 'docs/bench.md')
const [BEGIN, END] = ['<!-- pages: written by the command -->', '<!-- /pages -->']

const kb = (size: number): string => `${(size / 1_000).toFixed(1)} kB`

/** Builds the web app if it is older than its sources, and writes the figures with their commit and date into the docs. */
export async function measurePages(): Promise<Part> {
  const isFresh = freshWeb()
  const found = weights(readSizes(), readSizes('portal.json'))
  write(found)
  return {
    title: 'Script and style before a page is drawn, gzip',
    lines: found.map(({ what, size, files, goal }) => ({
      what: `${what}: ${files} files`,
      product: kb(size),
      goal: { text: `≤ ${goal / 1_000} kB`, met: size <= goal },
    })),
    notes: [...(isFresh ? [] : ['the web app does not build: this is the build before']), `written into ${DOCS}`],
  }
}

function write(found: readonly Weight[]): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '--', 'apps/web', 'packages/model') ? ' with changes' : ''
  const table = [
    BEGIN,
    `\`npm run bench -- pages\`, commit ${git('rev-parse', '--short', 'HEAD')}${changed}, ${dayIn('Europe/Moscow', Date.now())}. Script and style in bytes after gzip, of the files that must arrive before the page is drawn; the limits are checked by \`e2e/shell.e2e.ts\`.`,
    '',
    '| Page | Files | Bytes | Goal |',
    '|---|---|---|---|',
    ...found.map(
      ({ what, size, files, goal }) =>
        `| ${what} | ${files} | ${kb(size)} | ≤ ${goal / 1_000} kB: ${size <= goal ? 'ok' : '**missed**'} |`,
    ),
    END,
  ].join('\n')
  const before = readFileSync(DOCS, 'utf8')
  const [from, to] = [before.indexOf(BEGIN), before.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`${DOCS} has no place for the figures: ${BEGIN}`)
  writeFileSync(DOCS, before.slice(0, from) + table + before.slice(to + END.length))
}
