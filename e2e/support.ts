/** Shared by the browser tests: users, sign-in, console errors, page checks. */
import { randomUUID } from 'node:crypto'
import {
  type APIRequestContext,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
  request,
  type WebError,
} from 'playwright/test'

export { expect }

/** The key of the access token in local storage. */
export const TOKEN_KEY = 'ordinator:token'

export interface Person {
  id: number
  login: string
  password: string
  /** As displayed in lists and heads. */
  fio: string
}

interface PersonFields {
  /** Names of roles: «Кладовщик». */
  roles?: string[]
  surname?: string
}

interface Answer {
  status: number
  body: any
}

/** A shared user, with the sign-in state for the browser. */
export interface Walker<P extends Pick<Person, 'login' | 'password'> = Person> {
  person: P
  token: string
  state: StorageState
  /** Time of the sign-in, ms. */
  since: number
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** An access token lives for 15 minutes, and one refreshed in a test differs from the one stored here. */
const KEPT_MS = 8 * 60_000

/** Users of this worker by role, each created and signed in once, and used by one test after another. */
class Walkers {
  readonly #clinic: Clinic
  readonly #free = new Map<string, Walker[]>()
  readonly #lent: [role: string, Walker][] = []

  constructor(clinic: Clinic) {
    this.#clinic = clinic
  }

  /** A user that no other page of the running test uses. */
  async borrow(role: string): Promise<Walker> {
    const kept = this.#free.get(role)?.pop()
    const walker = kept ? await this.lasting(kept) : await this.signedIn(await this.#clinic.person({ roles: [role] }))
    this.#lent.push([role, walker])
    return walker
  }

  takeBack(): void {
    for (const [role, walker] of this.#lent.splice(0)) this.#free.set(role, [...(this.#free.get(role) ?? []), walker])
  }

  /** The same user with a sign-in that will last for a test. */
  async lasting<P extends Pick<Person, 'login' | 'password'>>(walker: Walker<P>): Promise<Walker<P>> {
    return Date.now() - walker.since < KEPT_MS ? walker : this.signedIn(walker.person)
  }

  async signedIn<P extends Pick<Person, 'login' | 'password'>>(person: P): Promise<Walker<P>> {
    const http = await request.newContext({ baseURL: this.#clinic.url })
    const { token, state } = await enterBy(http, person)
    await http.dispose()
    return { person, token, state, since: Date.now() }
  }
}

/**
 * The clinic's HTTP API, as an administrator of this worker. The demo `admin` is used only to create that user: a sign-in
 * ends the user's other sessions, so no test may sign in as `admin`.
 */
function succeeded(answer: Answer, method: string, path: string) {
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export class Clinic {
  readonly url: string
  readonly walkers = new Walkers(this)
  #token = ''
  #me: Person | undefined
  #roles: Map<string, number> | undefined

  constructor(url: string) {
    this.url = url
  }

  /** A call that must succeed. */
  async call<T = any>(method: string, path: string, body?: unknown): Promise<T> {
    let answer = await this.ask(method, path, body, this.#token)
    // A session that has ended, or a password entered too long ago.
    const isOld = answer.status === 401 || (answer.status === 403 && answer.body?.code === 'proof')
    if (isOld && this.#me) {
      this.#token = await this.token(this.#me)
      answer = await this.ask(method, path, body, this.#token)
    }
    return succeeded(answer, method, path)
  }

  /** Successful calls with a given token. */
  as =
    (token: string) =>
    async <T = any>(method: string, path: string, body?: unknown): Promise<T> =>
      succeeded(await this.ask(method, path, body, token), method, path)

  async ask(method: string, path: string, body?: unknown, token = ''): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }

  /** An access token of a new session, which ends the user's others. */
  async token({ login, password }: Pick<Person, 'login' | 'password'>): Promise<string> {
    const { body } = await this.ask('POST', '/auth/login', { login, password, forceLogin: true })
    if (!body.accessToken) throw new Error(`${login} does not get in: ${JSON.stringify(body)}`)
    return body.accessToken
  }

  /** Retried, since another worker may end the demo administrator's session. */
  async open(): Promise<this> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#token = await this.token({ login: 'admin', password: 'demo' })
        const me = await this.person({ roles: ['Полный доступ'] })
        this.#token = await this.token(me)
        this.#me = me
        // Lets one user take a regulation through all steps.
        await this.call('PUT', '/settings/common', { regulationsOwnApproval: true })
        return this
      } catch (error) {
        this.#roles = undefined
        if (attempt === 8) throw error
      }
    }
  }

  /** Creates an employee with a permanent password. */
  async person({ roles = [], surname }: PersonFields = {}): Promise<Person> {
    const login = `e2e-${randomUUID().slice(0, 13)}`
    const given = surname ?? `Проверкин-${login.slice(4, 8)}`
    const { id, fio } = await this.call('POST', '/users', { login, surname: given, name: 'Пётр', middleName: 'Ильич' })
    for (const role of roles) await this.call('POST', '/user-roles', { idUser: id, idRole: await this.role(role) })
    const { password: first } = await this.call('POST', `/users/${id}/reset-password`, {})
    const password = `Пароль ${randomUUID()}`
    const token = await this.token({ login, password: first })
    await this.ask('POST', '/auth/change-password', { currentPassword: first, newPassword: password }, token)
    await this.ask('POST', '/auth/logout', {}, token)
    return { id, login, password, fio }
  }

  /**
   * Signs the page in as a user of the role, created once per worker. The test has the user to itself and must not leave
   * changes: tests that change settings, a password or a session use `person()`.
   */
  async enter(page: Page, role = 'Полный доступ'): Promise<Walker> {
    const walker = await this.walkers.borrow(role)
    await give(page, walker.state)
    return walker
  }

  /** The id of a role by its name. */
  async role(name: string): Promise<number> {
    if (!this.#roles) {
      const { items } = await this.call('GET', '/roles?limit=200&fields=id,name')
      this.#roles = new Map(items.map((role: { id: number; name: string }) => [role.name, role.id]))
    }
    const id = this.#roles.get(name)
    if (id === undefined) throw new Error(`No role «${name}»`)
    return id
  }
}

/** Leaving a page while its WebSocket is connecting causes this harmless message. */
const LEFT_EARLY = /WebSocket is closed before the connection is established/

/** Collects console errors. */
export class Complaints {
  readonly #found: string[] = []
  readonly #allowed: RegExp[] = [LEFT_EARLY]

  watch(context: BrowserContext): void {
    context.on('console', this.#onConsole)
    context.on('weberror', this.#onError)
  }

  /** For a browser that is reused by another test. */
  leave(context: BrowserContext): void {
    context.off('console', this.#onConsole)
    context.off('weberror', this.#onError)
  }

  /** Expected messages of the test. Network lines read `… status of 401 (Unauthorized) <address>`. */
  allow(...patterns: RegExp[]): void {
    this.#allowed.push(...patterns)
  }

  list(): string[] {
    return this.#found.filter((text) => !this.#allowed.some((pattern) => pattern.test(text)))
  }

  #onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error' || message.type() === 'warning')
      this.#found.push(`${message.type()}: ${message.text()} ${message.location().url}`)
  }
  #onError = (error: WebError) => this.#found.push(`uncaught: ${error.error().stack ?? error.error()}`)
}

interface Fixtures {
  /** Returns the shared users of a test. */
  lending: undefined
  complaints: Complaints
  /** A page in another browser context: another computer. */
  visitor: (options?: BrowserContextOptions) => Promise<Page>
}

export const test = base.extend<Fixtures, { clinic: Clinic }>({
  clinic: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names of the fixtures here
    async ({}, use, worker) => {
      await use(await new Clinic(worker.project.use.baseURL as string).open())
    },
    { scope: 'worker' },
  ],
  lending: [
    async ({ clinic }, use) => {
      await use(undefined)
      clinic.walkers.takeBack()
    },
    { auto: true },
  ],
  complaints: [
    async ({ context }, use) => {
      const complaints = new Complaints()
      complaints.watch(context)
      await use(complaints)
      complaints.leave(context)
      expect(complaints.list(), 'complaints of the browser').toEqual([])
    },
    { auto: true },
  ],
  visitor: async ({ browser, complaints }, use) => {
    const opened: BrowserContext[] = []
    await use(async (options) => {
      const context = await browser.newContext(options)
      complaints.watch(context)
      opened.push(context)
      return context.newPage()
    })
    for (const context of opened) await context.close()
  },
})

/** Signs the page's browser in, ending the user's other sessions; the page itself stays where it is. */
export async function signIn(page: Page, person: Pick<Person, 'login' | 'password'>): Promise<string> {
  const { token, state } = await enterBy(page.request, person)
  await give(page, state)
  return token
}

/** Gives the page's browser a sign-in state. */
export async function give(page: Page, state: StorageState): Promise<void> {
  const context = page.context()
  // A browser in use is cleared first, by a separate page: that costs a process.
  if (page.url() !== 'about:blank' || context.pages().length > 1) return context.setStorageState(state)
  await context.clearCookies()
  await context.addCookies(state.cookies)
  for (const { origin, localStorage: items } of state.origins) {
    const empty = `${origin}/empty`
    await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body: '<link rel=icon href=data:,>' }))
    await page.goto(empty)
    await page.evaluate((all) => {
      localStorage.clear()
      sessionStorage.clear()
      for (const { name, value } of all) localStorage.setItem(name, value)
    }, items)
    await page.unroute(empty)
  }
}

/** Signs in by a call: the session cookie, and the token where the app stores it. */
async function enterBy(http: APIRequestContext, { login, password }: Pick<Person, 'login' | 'password'>) {
  const form = { login, password, rememberMe: '1', forceLogin: '1' }
  const answer = await http.post('/auth/login', { form })
  const { accessToken, errorText } = await answer.json()
  if (!accessToken) throw new Error(`${login} does not get in: ${errorText}`)
  const token = accessToken as string
  const origins = [{ origin: new URL(answer.url()).origin, localStorage: [{ name: TOKEN_KEY, value: token }] }]
  return { token, state: { ...(await http.storageState()), origins } as StorageState }
}

/** Signs in by the form of the login page, which must be open. */
export async function fillLogin(page: Page, { login, password }: Pick<Person, 'login' | 'password'>): Promise<void> {
  await page.getByLabel('Логин').fill(login)
  await page.getByRole('textbox', { name: 'Пароль' }).fill(password)
  await page.getByRole('button', { name: 'Войти', exact: true }).click()
}

/** The heading of the page, which every screen has. */
export const title = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name })

export const phone = (page: Page) => page.setViewportSize({ width: 360, height: 740 })

/** Asserts that something has the focus; `:focus` does not match the body. */
export async function holdsFocus(page: Page): Promise<void> {
  const isOnBody = () => page.evaluate(() => document.activeElement === document.body)
  // Restoring the focus takes a moment.
  await expect.poll(isOnBody).toBe(false)
}

/** Asserts that the page is not wider than its window. */
export async function fits(page: Page): Promise<void> {
  const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(beyond).toBe(0)
}

/** Waits until the typed text is in local storage, from where a reload restores it. */
export const keptByBrowser = (page: Page, text: string): Promise<void> =>
  expect.poll(() => page.evaluate(() => JSON.stringify(Object.values(localStorage)))).toContain(text)

/** Counts sounds played by the pages: each begins with an oscillator. */
export async function tones(page: Page): Promise<() => Promise<number>> {
  await page.context().addInitScript(() => {
    const begin = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (when) {
      localStorage.setItem('sounds', String(Number(localStorage.getItem('sounds') ?? 0) + 1))
      begin.call(this, when)
    }
  })
  return () => page.evaluate(() => Number(localStorage.getItem('sounds') ?? 0))
}

/** The toast with this text. */
export const toast = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('alert').filter({ hasText: text }).first()
