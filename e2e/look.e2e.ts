/**
 * Page checks (look/states.ts): the day's share of the pages and of their declared states (look/share.ts); `npm test -- long`
 * checks all. `npm run look` takes screenshots and makes a table of the same pages, also as each role.
 */
import type { Actor } from '@ordinator/model/access'
import type { Page as Screen } from '@ordinator/model/page'
import { type PageKey, pageAllowed, pages } from '@ordinator/model/pages'
import { modules } from '@ordinator/model/tariff'
import { isTurnOf, seed } from '@ordinator/model/testing/turns'
import type { Page } from 'playwright/test'
import { standardRoles } from '../apps/server/src/areas/staff/standardRoles.ts'
import { write } from './look/record.ts'
import { fewLooks, isPressed, type Look, looks, oneLook, PAGE_DAYS, ROLE_DAYS, STATE_DAYS } from './look/share.ts'
import type { State } from './look/states/common.ts'
import { states } from './look/states.ts'
import { turnTo, type Walked, walk } from './look/walk.ts'
import { makeWorld, type World } from './look/world.ts'
import { test as base, type Clinic, type Complaints, expect, give, type Walker } from './support.ts'

/** Has all rights, and so all states; the others are users of the demo clinic with filled screens. */
const WALKER = 'admin'
const OTHERS = [
  'manager',
  'operator',
  'registrar',
  'doctor',
  'nurse',
  'storekeeper',
  'laboratory',
  'accountant',
] as const
type Role = (typeof OTHERS)[number]
/** Roles whose pages are checked too: one that sees much without editing, and one that sees little. */
const SAMPLE: readonly Role[] = ['doctor', 'storekeeper']

/** Share of the window that may move by itself before a page stands. */
const MAX_SHIFT = 0.05

/** From `npm run look`: folder of the screenshots, and the selection. */
const { LOOK_DIR, LOOK_PAGE, LOOK_ROLE } = process.env

/**
 * One window for all pages of a worker. A page without a state is left as it is, and the next one of the same user opens
 * within the app; anything else is cleared away, which keeps at least the compiled scripts.
 */
class Glass {
  readonly #open: () => Promise<Page>
  readonly #origin: string
  #page: Promise<Page> | undefined
  /** Of the user whose page is open. */
  #token: string | undefined
  /** Of the user whose page stays open after the running test. */
  #kept: string | undefined

  constructor(open: () => Promise<Page>, origin: string) {
    this.#open = open
    this.#origin = origin
  }

  page(): Promise<Page> {
    return (this.#page ??= this.#open())
  }

  /**
   * Signs the window in; absent: not signed in.
   * @returns whether the app is open already, as this user
   */
  async enter(walker?: Pick<Walker, 'state' | 'token'>): Promise<boolean> {
    if (walker && this.#token === walker.token) return true
    if (this.#token) await this.#wipe(false)
    if (walker) await give(await this.page(), walker.state)
    return false
  }

  /** Leaves the page as it is after this test, for the next one of this user. */
  keep({ token }: Pick<Walker, 'token'>): void {
    this.#kept = token
  }

  /** After a test; what a failed one has left is unknown, so the next one gets a new window. */
  async end(failed: boolean): Promise<void> {
    const kept = failed ? undefined : this.#kept
    this.#kept = undefined
    if (!kept) await this.#wipe(failed)
    this.#token = kept
  }

  async #wipe(failed: boolean): Promise<void> {
    this.#token = undefined
    const page = await this.page()
    const context = page.context()
    if (failed) {
      this.#page = undefined
      return context.close()
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.setOffline(false)
    for (const other of context.pages()) if (other !== page) await other.close()
    await page.goto('about:blank')
    await give(page, { cookies: [], origins: [{ origin: this.#origin, localStorage: [] }] })
    await page.goto('about:blank')
  }
}

const test = base.extend<object, { world: World; guide: () => Promise<Walker>; glass: Glass }>({
  glass: [
    async ({ browser }, use, { project }) => {
      const { baseURL, locale, timezoneId, contextOptions } = project.use
      const options = { ...contextOptions, baseURL, locale, timezoneId }
      await use(new Glass(async () => (await browser.newContext(options)).newPage(), baseURL as string))
    },
    { scope: 'worker' },
  ],
  context: async ({ glass }, use) => use((await glass.page()).context()),
  page: async ({ glass }, use, info) => {
    await use(await glass.page())
    await glass.end(info.status !== info.expectedStatus)
  },
  guide: [
    async ({ clinic }, use) => {
      let walker = await clinic.walkers.signedIn(await clinic.person({ roles: ['Полный доступ'] }))
      await use(async () => (walker = await clinic.walkers.lasting(walker)))
    },
    { scope: 'worker' },
  ],
  world: [
    async ({ clinic, guide }, use) => {
      const { person, token } = await guide()
      await use(await makeWorld(clinic, person, token))
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

interface Place {
  screen: Screen
  state: State
  role: string
  world: World
  looks?: readonly Look[]
  /** The app is open already. */
  inside?: boolean
  /** Whether a control is pressed. */
  presses?: (kind: string) => boolean
}

const addressOf = (screen: Screen, state: State, world: World): string => state.at?.(world) ?? `/app/${screen.path}`

/**
 * One state as one role: in the suite it must be without faults, in `npm run look` it is recorded.
 * @returns whether the page is as it was opened: no control was pressed
 */
async function look(
  page: Page,
  { screen, state, role, world, complaints, ...asked }: Place & { complaints: Complaints },
): Promise<boolean> {
  // Controls closed to the role are missing: the table shows that, without a long wait.
  if (LOOK_DIR) page.setDefaultTimeout(10_000)
  const address = addressOf(screen, state, world)
  const inside = Boolean(asked.inside && !isWhole && !state.name && address.startsWith('/app/'))
  const presses = (kind: string): boolean => {
    if (LOOK_DIR || !asked.presses?.(kind)) return false
    // Writing requests of pressed controls are refused.
    complaints.allow(/status of 400/)
    return true
  }
  const ways = { looks: LOOK_DIR ? looks : (asked.looks ?? looks), pictures: Boolean(LOOK_DIR), inside, presses }
  const took = await attempt(() => walk(page, state, address, world, ways))
  if (LOOK_DIR) {
    const entry = { page: screen.key, title: screen.title, state: state.name, role, complaints: complaints.list() }
    complaints.allow(/./)
    write(LOOK_DIR, { ...entry, ...took })
    return true
  }
  if (took.failed) throw took.failed
  const faults = took.screens.flatMap(({ look, axe, sight }) => [
    ...axe.map((line) => `${look}: axe ${line}`),
    ...(sight.sideways > 0 ? [`${look}: wider than the window by ${sight.sideways} px`] : []),
    ...sight.cut.map((text) => `${look}: cut without «…»: ${text}`),
    ...sight.carets.map((where) => `the caret of a new form stands in ${where}`),
    ...(sight.focusLost ? [`${look}: a dialog is open, and the focus is on the page`] : []),
  ])
  // A state of its own may open in the midst of the page.
  if (!state.name && took.shift.sum > MAX_SHIFT)
    faults.push(`${took.shift.sum} of the page shifts: ${took.shift.moved.join('; ')}`)
  expect([...faults, ...took.idle]).toEqual([])
  return took.pressed === 0
}

async function attempt(run: () => Promise<Walked>): Promise<Walked & { failed?: unknown }> {
  try {
    return await run()
  } catch (failed) {
    return { screens: [], opening: { calls: 0, steps: 0 }, shift: { sum: 0, moved: [] }, pressed: 0, idle: [], failed }
  }
}

/** Keys of pages, separated by commas; absent: all. */
const asked = LOOK_PAGE?.split(',').filter(Boolean) ?? []
const screens = pages.filter(({ key }) => asked.length === 0 || asked.includes(key))
const statesOf = (screen: Screen): readonly State[] => states[screen.key as PageKey]

const isWhole = Boolean(process.env.TEST_LONG || LOOK_DIR)
const day = seed()
const keyOf = (screen: Screen, state: State): string => `${screen.key}${state.name ? `: ${state.name}` : ''}`
/** Pages selected by name are checked with all their states. */
const isChosen = (screen: Screen, state: State): boolean =>
  isWhole || asked.length > 0 || isTurnOf(keyOf(screen, state), day, state.name ? STATE_DAYS : PAGE_DAYS)

/** Each control once: all of a selected page, else a share. */
const presses = (screen: Screen, state: State) => (kind: string) =>
  isWhole || asked.length > 0 || isPressed(keyOf(screen, state), kind, day, state.name ? STATE_DAYS : PAGE_DAYS)

/** Pages first, one after another within the app; each declared state has a page load of its own. */
const inOrder = screens
  .flatMap((screen) => statesOf(screen).map((state) => ({ screen, state })))
  .toSorted((a, b) => Number(Boolean(a.state.name)) - Number(Boolean(b.state.name)))

if (!LOOK_ROLE || LOOK_ROLE === WALKER)
  for (const { screen, state } of inOrder.filter((one) => isChosen(one.screen, one.state)))
    test(keyOf(screen, state), async ({ page, clinic, guide, glass, world, complaints }) => {
      if (state.allow) complaints.allow(state.allow)
      // A preview frame allows no scripts, also not those of the check.
      complaints.allow(/Blocked script execution in 'about:srcdoc'/)
      const walker = state.reads ? await clinic.walkers.signedIn(world.reader) : await guide()
      const isPublic = 'public' in screen
      const inside = await glass.enter(isPublic ? undefined : walker)
      const variants = state.name ? fewLooks : isWhole ? looks : oneLook(screen.key, day)
      const isLeft = await look(page, {
        ...{ screen, state, role: WALKER, world, complaints, inside },
        ...{ looks: variants, presses: presses(screen, state) },
      })
      if (!isPublic && !state.name && isLeft) glass.keep(walker)
    })

/** Rights of the role, regardless of the clinic's tariff and modules. */
const actorOf = (role: Role): Actor => ({
  id: 0,
  permissions: Object.fromEntries(standardRoles[role].permissions.map((name) => [name, true])),
  modules,
})

for (const role of LOOK_ROLE ? OTHERS.filter((one) => one === LOOK_ROLE) : LOOK_DIR ? OTHERS : SAMPLE)
  test.describe(role, () => {
    // One worker per user: a second sign-in would end the first session.
    test.describe.configure({ mode: 'default' })
    let walker: Walker<{ login: string; password: string }> | undefined
    const enter = async (clinic: Clinic, glass: Glass) => {
      walker = walker
        ? await clinic.walkers.lasting(walker)
        : await clinic.walkers.signedIn({ login: role, password: 'demo' })
      const inside = await glass.enter(walker)
      return { inside, keep: () => walker && glass.keep(walker) }
    }
    const inner: readonly Screen[] = screens.filter((one) => !('public' in one))
    const open = inner.filter((screen) => pageAllowed(screen, actorOf(role)))

    const isShown = (screen: Screen) => isWhole || asked.length > 0 || isTurnOf(`${screen.key} ${role}`, day, ROLE_DAYS)
    for (const screen of open.filter(isShown))
      for (const state of statesOf(screen).filter(({ name, reads }) => !reads && (LOOK_ROLE || !name)))
        test(keyOf(screen, state), async ({ page, clinic, glass, world, complaints }) => {
          complaints.allow(state.allow ?? /status of 40[34]/, /status of 40[34]/)
          const { inside, keep } = await enter(clinic, glass)
          await look(page, {
            screen,
            state,
            role,
            world,
            complaints,
            looks: isWhole ? fewLooks : oneLook(screen.key, day),
            inside,
          })
          if (!LOOK_DIR) expect(page.url()).not.toContain('/error/')
          if (!state.name) keep()
        })

    if (!LOOK_DIR)
      test('what is closed to the role shows why', async ({ page, clinic, glass, world }) => {
        await enter(clinic, glass)
        await page.goto('/app')
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        for (const screen of inner.filter((one) => !open.includes(one)))
          await test.step(screen.key, async () => {
            await turnTo(page, addressOf(screen, statesOf(screen)[0] as State, world))
            await expect(page).toHaveURL(/\/app\/error\/403/)
            await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          })
      })
  })
