/**
 * Executes docs/recipes/area.md and report.md: applies their blocks to a copy of the repository, where the new area must
 * have types, a migration, a page, a permission, search and API documentation, and the new report its figures and rows.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { long } from '../packages/model/src/testing/needs.ts'

const ROOT = join(import.meta.dirname, '..')
const run = promisify(execFile)
const copies: string[] = []
afterAll(() => Promise.all(copies.map((copy) => rm(copy, { recursive: true, force: true }))))

/** Ten minutes on a slow machine; it migrates an empty database twice. */
const PATIENCE_MS = 1_200_000

test.each(['area', 'report'])('the blocks of the recipe «%s» fit the files that they change', async (recipe) => {
  const blocks = blocksOf(await readFile(join(ROOT, `docs/recipes/${recipe}.md`), 'utf8'))
  expect(blocks.length).toBeGreaterThan(4)
  for (const { path, kind, lines } of blocks) {
    const file = join(ROOT, path)
    if (kind === 'diff') expect(applied(await readFile(file, 'utf8'), lines, path)).toContain(lines.at(-1)?.slice(1))
    else expect(existsSync(file), path).toBe(false)
  }
})

test.runIf(long.there)(
  'the recipe of an area works as written',
  { ...long.options, timeout: PATIENCE_MS },
  async () => {
    const { copy, inCopy } = await copyWith('area')
    await inCopy(['apps/server/src/records/draftMigration.ts', 'keys'])
    await inCopy([
      vitest,
      'run',
      '--project',
      'server',
      '--update=all',
      'records/openapi.test',
      'areas/keys/',
      'records/schema.test',
    ])
    await inCopy([vitest, 'run', '--project', 'model', 'pages.test', 'guide.test', 'registry.test'])
    await inCopy([tsc, '-p', 'tsconfig.json'])
    const described = JSON.parse(await readFile(join(copy, 'docs/openapi/keys.json'), 'utf8'))
    expect(Object.keys(described.paths)).toContain('/room-keys/{id}')
  },
)

test.runIf(long.there)(
  'the recipe of a report works as written',
  { ...long.options, timeout: PATIENCE_MS },
  async () => {
    const { copy, lines, inCopy } = await copyWith('report')
    expect(lines).toBeLessThanOrEqual(60)
    await inCopy([tsc, '-p', 'tsconfig.json'])
    await inCopy([vitest, 'run', '--project', 'model', 'pages.test', 'guide.test', 'src/reports.test'])
    await inCopy([vitest, 'run', '--project', 'server', '--update=all', 'records/openapi.test'])
    await inCopy([vitest, 'run', '--project', 'server', 'areas/reports/reports.test', '-t', 'write-offs'])
    const described = JSON.parse(await readFile(join(copy, 'docs/openapi/warehouse.json'), 'utf8'))
    expect(Object.keys(described.paths)).toContain('/reports/write-offs/rows')
  },
)

const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')

/** A copy of the repository with the blocks of a recipe, how many lines they add, and a way to run commands in it. */
async function copyWith(recipe: string) {
  const copy = await copyOfTree()
  copies.push(copy)
  const blocks = blocksOf(await readFile(join(ROOT, `docs/recipes/${recipe}.md`), 'utf8'))
  let added = 0
  for (const { path, kind, lines } of blocks) {
    const file = join(copy, path)
    await mkdir(dirname(file), { recursive: true })
    const text = kind === 'diff' ? applied(await readFile(file, 'utf8'), lines, path) : `${lines.join('\n')}\n`
    await writeFile(file, text)
    added += kind === 'diff' ? lines.filter((line) => line.startsWith('+')).length : lines.length
  }
  const inCopy = (args: string[]) =>
    run(process.execPath, args, {
      cwd: copy,
      env: { ...process.env, VITEST: '', VITEST_POOL_ID: '', VITEST_WORKER_ID: '', TEST_LONG: '' },
      maxBuffer: 64 << 20,
    }).catch((error: Error & { stdout?: string }) => {
      // The compiler and vitest write what is wrong to the standard output.
      throw new Error(`${error.message}\n${error.stdout?.slice(-4_000)}`)
    })
  return { copy, lines: added, inCopy }
}

/** Tracked and new files, with the modules of this tree. */
async function copyOfTree(): Promise<string> {
  const to = await mkdtemp(join(tmpdir(), 'ordinator-area-'))
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: ROOT,
    maxBuffer: 64 << 20,
  })
  const files = stdout.split('\0').filter(Boolean)
  for (const dir of new Set(files.map((file) => dirname(file)))) await mkdir(join(to, dir), { recursive: true })
  for (const file of files)
    await cp(join(ROOT, file), join(to, file)).catch((error) => {
      // Deleted and not committed yet.
      if (error.code !== 'ENOENT') throw error
    })
  await modulesOf('.', to)
  for (const workspace of ['apps/server', 'apps/web', 'packages/model']) await modulesOf(workspace, to)
  return to
}

/** Links each package, except the workspaces, which belong to the copy. */
async function modulesOf(workspace: string, to: string): Promise<void> {
  const from = join(ROOT, workspace, 'node_modules')
  const names = await readdir(from).catch(() => [])
  if (names.length === 0) return
  await mkdir(join(to, workspace, 'node_modules'), { recursive: true })
  for (const name of names) {
    const target = join(to, workspace, 'node_modules', name)
    // A link of a workspace is relative.
    if (name === '@ordinator') await cp(join(from, name), target, { recursive: true, verbatimSymlinks: true })
    else await symlink(join(from, name), target)
  }
}

interface Block {
  path: string
  kind: 'ts' | 'diff'
  lines: string[]
}

/** Code blocks below a line that begins with the path of a file. */
function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^`([\w./-]+\/[\w./-]+)`[^\n]*\n\n```(ts|diff)\n([\s\S]*?)\n```$/gm)].map(
    ([, path, kind, body]) => ({
      path: path as string,
      kind: kind as Block['kind'],
      lines: (body as string).split('\n'),
    }),
  )
}

/** Inserts each line with a plus after the preceding unmarked line. */
function applied(text: string, lines: readonly string[], path: string): string {
  const all = text.split('\n')
  let at = -1
  for (const line of lines) {
    if (line.startsWith('+')) all.splice(++at, 0, line.slice(1))
    else {
      at = all.indexOf(line.slice(1), at + 1)
      if (at < 0) throw new Error(`${path} has no line «${line.slice(1)}»`)
    }
  }
  return all.join('\n')
}
