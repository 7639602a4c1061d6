/**
 * `npm test`: all checks, the same locally and in CI. All steps run; the last line counts the tests, and the exit code is
 * non-zero if anything failed. Durations never fail a run.
 *
 * npm test -- types vitest   only the named steps
 * npm test -- changed        only what the changes since the main branch affect
 * npm test -- budget         also fails when a test file exceeds its time budget (docs/tests.md)
 * npm test -- long           all examples of property tests, all scenarios and page checks (alone: only the test steps)
 *
 * A failed browser test and a failed file of vitest are repeated once; what passes then does not fail the run, and is named
 * in the last lines, as are the tests that the machine could not run.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { byArea, overBudget, playwrightFiles, readBudget, slowest, takePulse } from './budget.mjs'
import { changes } from './changed.mjs'
import { begin, buildWeb, Ending, Failure, install, NODE, NOTHING_TO_SAVE_MS, ROOT, run, script } from './prepare.mjs'
import { browserVerdict, filesToRepeat, hasCounterexample, leftOut, vitestVerdict } from './verdict.mjs'

const MODULES = join(ROOT, 'node_modules')
const RESULTS = join(ROOT, '.cache/test-results')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const REDIS = process.env.REDIS_SERVER ?? 'redis-server'
const DAY_MS = 24 * 60 * 60_000
const colours = !process.env.CI && process.stdout.isTTY

const steps = [
  { name: 'types', what: 'Типы', file: join(MODULES, '.bin/tsc'), args: ['-p', 'tsconfig.json'] },
  { name: 'lint', what: 'Стиль', file: join(MODULES, '.bin/biome'), args: ['check', '.', '--max-diagnostics=100'] },
  { name: 'imports', what: 'Правила импорта', args: ['scripts/imports.mjs'] },
  { name: 'unused', what: 'Лишнее в коде', args: [join(MODULES, 'knip/bin/knip.js'), '--no-progress'] },
  {
    name: 'vitest',
    what: 'Модульные и HTTP-тесты',
    before: tryServers,
    ...vitest('vitest', [], { SUITES_LEFT_OUT: join(RESULTS, 'suites-left.json') }),
    repeat: repeatVitest,
    count: () => vitestVerdict(results('vitest.json'), results('vitest-again.json', null)),
    files: () => results('vitest-durations.json').files,
  },
  {
    name: 'browser',
    what: 'Тесты в браузере',
    before: async () => {
      if (!process.env.TEST_LONG)
        console.log(`Осмотр: доля ${process.env.LOOK_SEED} (та же снова: LOOK_SEED=${process.env.LOOK_SEED})`)
      await ensureChromium()
      await buildWeb()
    },
    args: [join(MODULES, 'playwright/cli.js'), 'test', '--config', 'e2e/playwright.config.ts'],
    // Playwright shuts its servers down gracefully only on this signal.
    ends: 'SIGINT',
    // Playwright sets FORCE_COLOR for its workers, and Node complains about both.
    env: {
      NO_COLOR: undefined,
      PLAYWRIGHT_JSON_OUTPUT_NAME: join(RESULTS, 'browser.json'),
      CHROMIUM,
      E2E_LEFT_OUT: join(RESULTS, 'browser-left.json'),
    },
    count: () => browserVerdict(results('browser.json')),
    files: () => playwrightFiles(results('browser.json')),
  },
]

const BUILD = {
  args: ['--input-type=module', '-e', "const { buildWeb } = await import('./scripts/prepare.mjs'); await buildWeb()"],
}

/** Real parts of outside systems that tests use where they are installed, by Debian package. */
const parts = [
  { name: 'libengine-gost-openssl', isThere: hasGost },
  { name: 'redis-server', isThere: hasRedis },
  { name: 'nginx-light', isThere: () => existsSync('/usr/sbin/nginx') },
  { name: 'clamav-daemon', isThere: () => existsSync('/usr/sbin/clamd') },
  { name: 'python3-aiosmtpd', isThere: () => existsSync('/usr/bin/aiosmtpd') },
]
/** Parts that Debian does not have. */
const unpackaged = ['Хранилище S3 (MinIO)', 'АТС Asterisk']

/** Modes of a run, as opposed to steps. */
const WAYS = ['changed', 'budget', 'long']
const TESTS = ['vitest', 'browser']

await script(async () => {
  await install()
  const asked = process.argv.slice(2)
  const ways = new Set(WAYS.filter((way) => asked.includes(way)))
  const named = asked.filter((name) => !WAYS.includes(name))
  const unknown = named.find((name) => !steps.some((step) => step.name === name))
  if (unknown)
    throw new Failure(`Нет такого шага: ${unknown}. Есть: ${[...steps.map((step) => step.name), ...WAYS].join(', ')}`)
  const names = ways.has('long') && named.length === 0 ? TESTS : named
  if (ways.has('long')) process.env.TEST_LONG = '1'
  if (ways.has('long')) leaveNothingOut()
  // Shares compiled code among all processes of the run.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, '.cache/node')
  // One seed for all steps and their workers, also past midnight.
  process.env.LOOK_SEED ??= String(Math.floor(Date.now() / DAY_MS))
  rmSync(RESULTS, { recursive: true, force: true })
  mkdirSync(RESULTS, { recursive: true })

  const wanted = steps.filter(({ name }) => names.length === 0 || names.includes(name))
  const done = await takeAll(ways.has('changed') ? narrowed(wanted) : wanted, ways)
  report(
    wanted.flatMap(({ name }) => done.filter(({ step }) => step.name === name)),
    ways,
  )
})

/**
 * Quick steps, and the build for the browser tests, run in parallel with the unit and HTTP tests, which leave half a core
 * idle; the browser tests run alone.
 */
async function takeAll(wanted, ways) {
  const vitest = wanted.find(({ name }) => name === 'vitest')
  const browser = wanted.find(({ name }) => name === 'browser')
  const quick = wanted.filter((step) => step !== vitest && step !== browser)
  const beside = async () => {
    const done = []
    for (const step of quick) done.push(await take(step, ways, vitest && 'kept'))
    // A build that fails here fails again in its step, where it is reported.
    if (vitest && browser) await succeeds(BUILD, 'dropped')
    return done
  }
  const done = [...(await Promise.all([beside(), vitest ? take(vitest, ways) : []])).flat()]
  return browser ? [...done, await take(browser, ways)] : done
}

/** Steps limited to the changes since the main branch; unaffected ones are omitted. */
function narrowed(wanted) {
  const { since, files, specs, pages } = changes()
  leaveNothingOut()
  console.log(`Изменено файлов с ${since.slice(0, 12)}: ${files.length}`)
  return wanted.flatMap((step) => {
    if (step.name === 'vitest') return { ...step, args: [...step.args, '--changed', since, '--passWithNoTests'] }
    if (step.name !== 'browser') return step
    if (specs.length === 0) return []
    console.log(`Тесты в браузере: ${specs.join(', ')}${pages.length > 0 ? `; осмотр: ${pages.join(', ')}` : ''}`)
    return {
      ...step,
      args: [...step.args, ...specs],
      env: { ...step.env, LOOK_PAGE: pages.join(',') },
    }
  })
}

/** Leaves nothing to another day. */
function leaveNothingOut() {
  for (const { env } of steps) if (env) Object.assign(env, { SUITES_LEFT_OUT: undefined, E2E_LEFT_OUT: undefined })
}

async function take(step, ways, output) {
  if (!output) console.log(`\n── ${step.what}`)
  const began = Date.now()
  const pulse = step.files && ways.has('budget') ? takePulse() : undefined
  let green = false
  try {
    await step.before?.()
    green = (await succeeds(step, output)) || ((await step.repeat?.(step)) ?? false)
  } catch (error) {
    if (error instanceof Ending) throw error
    console.error(error instanceof Failure ? error.message : error)
  }
  const pace = pulse?.()
  return { step, green, seconds: (Date.now() - began) / 1000, counts: count(step, green), pace }
}

/** @param output `kept`: printed when the step is over, with its name; `dropped`: never */
function succeeds({ what, file = NODE, args, env = {}, ends, count }, output) {
  const look = colours ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined }
  return new Promise((done, fail) => {
    const child = begin(file, args, {
      ends,
      // Only steps of tests have servers and databases to shut down.
      ...(count ? {} : { endsWithin: NOTHING_TO_SAVE_MS }),
      stdio: output ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, ...look, ...env },
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        printed += text
      })
    child.once('error', fail)
    child.once('close', (code) => {
      if (output === 'kept') console.log(`\n── ${what}\n${printed.trim()}`)
      done(code === 0)
    })
  })
}

/** The arguments of a vitest run whose results get this name. @param env more of its environment */
function vitest(name, files = [], env = {}) {
  return {
    args: [
      join(MODULES, 'vitest/vitest.mjs'),
      'run',
      ...files,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${join(RESULTS, `${name}.json`)}`,
      '--reporter=./scripts/durations.mjs',
    ],
    env: { ...env, TEST_DURATIONS: join(RESULTS, `${name}-durations.json`) },
  }
}

/** Runs failed files once more, alone and on a new clinic. @returns whether all of them pass */
async function repeatVitest(step) {
  const first = results('vitest.json', null)
  const files = first ? filesToRepeat(first, results('vitest-durations.json').errors) : []
  if (files.length === 0) return false
  const isSure = first.testResults.some(hasCounterexample)
  const names = files.map((file) => relative(ROOT, file))
  console.log(`\n── Ещё раз: ${names.join(', ')}`)
  return (await succeeds({ ...step, ...vitest('vitest-again', names) })) && !isSure
}

/** A runner that died before counting has failed at least once. */
function count(step, green) {
  if (!step.count) return { passed: 0, failed: 0 }
  try {
    const counts = step.count()
    return green || counts.failed > 0 ? counts : { ...counts, failed: 1 }
  } catch {
    return { passed: 0, failed: green ? 0 : 1 }
  }
}

/** @param otherwise returned when there is no such file; absent: it must exist */
function results(name, otherwise) {
  const file = join(RESULTS, name)
  return otherwise === undefined || existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : otherwise
}

/** Prints the slowest files and areas, and files above their budget. @returns whether all are within it */
function inBudget({ step, pace }) {
  if (!step.files) return true
  let files
  try {
    files = step.files()
  } catch {
    return true
  }
  const seconds = (taken) => `${taken.toFixed(1).padStart(7)} с`
  console.log(`\n── Дольше всех: ${step.what.toLowerCase()}`)
  for (const { file, seconds: taken } of slowest(files)) console.log(`${seconds(taken)}  ${file}`)
  if (step.name === 'vitest') {
    console.log('── По областям')
    for (const { area, seconds: taken } of slowest(byArea(files))) console.log(`${seconds(taken)}  ${area}`)
  }
  if (pace) console.log(`Машина медленнее меры в ${pace().toFixed(1)} раза`)
  const over = overBudget(files, readBudget(), pace ?? (() => 1))
  for (const line of over) console.log(`дольше доли  ${line}`)
  return over.length === 0
}

function report(done, ways) {
  const kept = done.map(inBudget).every(Boolean) || !ways.has('budget')
  console.log('\n── Итог')
  for (const { step, green, seconds } of done) {
    console.log(`${green ? 'верно ' : 'ОШИБКА'}  ${step.what} (${seconds.toFixed(1)} с)`)
  }
  if (!kept) console.log('ОШИБКА  Доли времени (docs/tests.md)')
  for (const line of leftOut(results('vitest-durations.json', { left: [] }).left)) console.log(`НЕ ПРОВЕРЕНО  ${line}`)
  for (const [what, name] of [
    ['Долгие серверные проверки', 'suites-left.json'],
    ['Тесты в браузере', 'browser-left.json'],
  ]) {
    const another = results(name, [])
    if (another.length > 0)
      console.log(`НЕ ПРОВЕРЕНО  ${what} другого дня: файлов ${another.length} (все: npm test -- long)`)
  }
  for (const { file, name, why } of done.flatMap(({ counts }) => counts.broken ?? []))
    console.log(`НЕ ПРОШЁЛ     ${file}: ${name}\n              ${why}`)
  for (const { file, name, why } of done.flatMap(({ counts }) => counts.unsteady ?? []))
    console.log(`НЕУСТОЙЧИВО   ${file}: ${name} (прошёл со второго раза)\n              ${why}`)
  console.log(`НЕ ПРОВЕРЕНО  ${unpackaged.join(', ')}: в Debian таких пакетов нет, отвечали имитаторы`)
  const passed = done.reduce((sum, { counts }) => sum + counts.passed, 0)
  const failed = done.reduce((sum, { counts }) => sum + counts.failed, 0)
  process.exitCode = done.every(({ green }) => green) && kept && failed === 0 ? 0 : 1
  console.log(`${passed} passed, ${failed} failed`)
}

async function ensureChromium() {
  if (existsSync(CHROMIUM) || ((await debian('chromium')) && existsSync(CHROMIUM))) return
  throw new Failure('Для тестов в браузере нужен Chromium: apt-get install chromium (или задайте CHROMIUM=путь).')
}

/** Installs the real parts if possible; the report mentions a failure. */
async function tryServers() {
  for (const { name, isThere } of parts) if (!isThere()) await debian(name)
}

function hasGost() {
  return spawnSync('openssl', ['engine', '-t', 'gost']).stdout?.includes('[ available ]') ?? false
}

function hasRedis() {
  return spawnSync(REDIS, ['--version'], { stdio: 'ignore' }).status === 0
}

/** Installs a Debian package, if possible. */
async function debian(name) {
  const apt = spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0
  if (process.getuid?.() !== 0 || !apt) return false
  console.log(`Устанавливаем ${name}…`)
  // RUNLEVEL: a package starts no service of its own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  try {
    await run('apt-get', ['update', '-qq'], { env })
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env })
    return true
  } catch {
    return false
  }
}
