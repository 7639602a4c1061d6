/**
 * `npm test`: everything that is checked, the same on a desk and in CI. The steps all run; the last line counts the
 * tests, and the exit code says whether anything at all was red.
 *
 *   npm test -- types vitest   only the steps named
 *   npm test -- long           properties are tried many times over (alone: the step of the unit and HTTP tests)
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { overBudget, playwrightFiles, readBudget, slowest, takePulse, vitestFiles } from './budget.mjs'
import { buildWeb, Failure, install, NODE, ROOT, run, script } from './prepare.mjs'

const MODULES = join(ROOT, 'node_modules')
const RESULTS = join(ROOT, '.cache/test-results')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const REDIS = process.env.REDIS_SERVER ?? 'redis-server'
const colours = !process.env.CI && process.stdout.isTTY

const steps = [
  { name: 'types', what: 'Типы', file: join(MODULES, '.bin/tsc'), args: ['-p', 'tsconfig.json'] },
  { name: 'lint', what: 'Стиль', file: join(MODULES, '.bin/biome'), args: ['check', '.', '--max-diagnostics=100'] },
  { name: 'imports', what: 'Правила импорта', args: ['scripts/imports.mjs'] },
  { name: 'unused', what: 'Лишнее в коде', args: [join(MODULES, 'knip/bin/knip.js'), '--no-progress'] },
  {
    name: 'vitest',
    what: 'Модульные и HTTP-тесты',
    before: tryRedis,
    args: [
      join(MODULES, 'vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${join(RESULTS, 'vitest.json')}`,
    ],
    count: countVitest,
    files: () => vitestFiles(results('vitest.json')),
  },
  {
    name: 'browser',
    what: 'Тесты в браузере',
    before: async () => {
      await ensureChromium()
      await buildWeb()
    },
    args: [join(MODULES, 'playwright/cli.js'), 'test', '--config', 'e2e/playwright.config.ts'],
    // Playwright sets FORCE_COLOR for its workers, and Node complains about both.
    env: { NO_COLOR: undefined, PLAYWRIGHT_JSON_OUTPUT_NAME: join(RESULTS, 'browser.json'), CHROMIUM },
    count: countPlaywright,
    files: () => playwrightFiles(results('browser.json')),
  },
]

/** Not a step: how thoroughly the steps are taken. */
const LONG = 'long'

await script(async () => {
  await install()
  const asked = process.argv.slice(2)
  const isLong = asked.includes(LONG)
  const named = asked.filter((name) => name !== LONG)
  const wanted = isLong && named.length === 0 ? ['vitest'] : named
  if (isLong) process.env.TEST_LONG = '1'
  const unknown = wanted.find((name) => !steps.some((step) => step.name === name))
  if (unknown)
    throw new Failure(`Нет такого шага: ${unknown}. Есть: ${steps.map((step) => step.name).join(', ')}, ${LONG}`)
  rmSync(RESULTS, { recursive: true, force: true })
  mkdirSync(RESULTS, { recursive: true })

  const done = []
  for (const step of steps) {
    if (wanted.length === 0 || wanted.includes(step.name)) done.push(await take(step))
  }
  report(done, isLong)
})

async function take(step) {
  console.log(`\n── ${step.what}`)
  const began = Date.now()
  const pulse = step.files && takePulse()
  let green = false
  try {
    await step.before?.()
    green = await succeeds(step)
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error)
  }
  const pace = pulse?.()
  return { step, green, seconds: (Date.now() - began) / 1000, counts: count(step, green), pace }
}

function succeeds({ file = NODE, args, env = {} }) {
  const look = colours ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined }
  return new Promise((done, fail) => {
    const child = spawn(file, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...look, ...env } })
    const pass = (signal) => child.kill(signal)
    process.on('SIGINT', pass)
    process.on('SIGTERM', pass)
    child.once('error', fail)
    child.once('close', (code) => {
      process.off('SIGINT', pass)
      process.off('SIGTERM', pass)
      done(code === 0)
    })
  })
}

/** A runner that died before it could count has failed at least once. */
function count(step, green) {
  if (!step.count) return { passed: 0, failed: 0 }
  try {
    const counts = step.count()
    return green || counts.failed > 0 ? counts : { ...counts, failed: 1 }
  } catch {
    return { passed: 0, failed: green ? 0 : 1 }
  }
}

function countVitest() {
  const { numPassedTests, numFailedTests } = results('vitest.json')
  return { passed: numPassedTests, failed: numFailedTests }
}

function countPlaywright() {
  const { expected, flaky, unexpected } = results('browser.json').stats
  return { passed: expected + flaky, failed: unexpected }
}

function results(name) {
  return JSON.parse(readFileSync(join(RESULTS, name), 'utf8'))
}

/** Which files took longest, and which took more than they may. */
function held({ step, pace }, isLong) {
  if (!step.files) return true
  let files
  try {
    files = step.files()
  } catch {
    return true
  }
  console.log(`\n── Дольше всех: ${step.what.toLowerCase()} (машина медленнее меры в ${pace().toFixed(1)} раза)`)
  for (const { file, seconds } of slowest(files)) console.log(`${seconds.toFixed(1).padStart(7)} с  ${file}`)
  const over = isLong ? [] : overBudget(files, readBudget(), pace)
  for (const line of over) console.log(`ДОЛЬШЕ ДОЛИ  ${line}`)
  return over.length === 0
}

function report(done, isLong) {
  const inBudget = done.map((one) => held(one, isLong)).every(Boolean)
  console.log('\n── Итог')
  for (const { step, green, seconds } of done) {
    console.log(`${green ? 'верно ' : 'ОШИБКА'}  ${step.what} (${seconds.toFixed(1)} с)`)
  }
  if (!inBudget) console.log('ОШИБКА  Доли времени (docs/tests.md)')
  if (done.some(({ step }) => step.before === tryRedis) && !hasRedis())
    console.log('НЕ ПРОВЕРЕНО  Два сервера с настоящим Redis: redis-server не установлен и не ставится')
  const passed = done.reduce((sum, { counts }) => sum + counts.passed, 0)
  const failed = done.reduce((sum, { counts }) => sum + counts.failed, 0)
  process.exitCode = done.every(({ green }) => green) && inBudget && failed === 0 ? 0 : 1
  console.log(`${passed} passed, ${failed} failed`)
}

async function ensureChromium() {
  if (existsSync(CHROMIUM) || ((await debian('chromium')) && existsSync(CHROMIUM))) return
  throw new Failure('Для тестов в браузере нужен Chromium: apt-get install chromium (или задайте CHROMIUM=путь).')
}

/** The real Redis is tried where it can be had; the report says where it could not. */
async function tryRedis() {
  if (!hasRedis()) await debian('redis-server')
}

function hasRedis() {
  return spawnSync(REDIS, ['--version'], { stdio: 'ignore' }).status === 0
}

/** Installs a package of Debian's, where that is possible. */
async function debian(name) {
  const apt = spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0
  if (process.getuid?.() !== 0 || !apt) return false
  console.log(`Устанавливаем ${name}…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    await run('apt-get', ['update', '-qq'], { env })
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env })
    return true
  } catch {
    return false
  }
}
