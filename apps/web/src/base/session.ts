import type { Actor } from '@ordinator/model/access'
import { useMemo, useSyncExternalStore } from 'react'
import { setZone } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { storage, urlOf } from '#kit/root.ts'
import { type Account, actorOf, completeAccount, type UserSettings } from './account.ts'
import { type Answer, api } from './api.ts'
import { errorMessage } from './apiError.ts'
import { earlyCalls } from './earlyCalls.ts'
import { httpEvents } from './http.ts'
import { knownAccount } from './knownAccount.ts'
import { token } from './token.ts'

/**
 * The signed-in user. The account is read once at the start and kept here; screens use `useAccount`. If this browser knows
 * it from the last time, the router's guard does not wait: the page is corrected when the server has answered, and the
 * server enforces rights anyway.
 */
interface State {
  account: Account | null
  /** Read from the server, not only known from the last time. */
  read: boolean
  actor: Actor | null
  /** There is a token, but reading the account failed: the server or the network. */
  failed: boolean
}

const nobody: State = { account: null, read: false, actor: null, failed: false }

/** The password of this sign-in, while it may have to be changed at once; only in memory. */
let signedInBy: string | undefined

let state = nobody
let lastAccount: Account | null = null
let loading: Promise<Account | null> | undefined
const listeners = new Set<() => void>()
const onLeave = new Set<() => void>()

function setState(next: Partial<State>): void {
  state = { ...state, ...next }
  lastAccount = state.account ?? lastAccount
  for (const listener of listeners) listener()
}

/** Set by the router. `showLogin` shows the login page after the session ended. */
export const sessionScreens = {
  showLogin: (): void => {},
  /** Re-runs the guard of the open page after a change of rights. */
  guardAgain: (): void => {},
}

export interface SignIn {
  login: string
  password: string
  rememberMe: boolean
  sipPhone?: string
  forceLogin?: boolean
  /** The second factor, if required. */
  code?: string
  passkey?: { id: string; type: 'public-key' }
}

/** The password is right, and a second factor is required. */
export type SecondFactorAsked = NonNullable<Answer<'POST /auth/login'>['secondFactor']>

export type SignInResult = 'in' | 'session-warning' | { error: string } | { asked: SecondFactorAsked }

export const session = {
  account: (): Account | null => state.account,
  actor: (): Actor | null => state.actor,
  failed: (): boolean => state.failed,

  /** The account: in memory, else as last known, else from the server; null without a sign-in. */
  ensure(): Promise<Account | null> {
    const bearer = token.get()
    if (state.account && state.read) return Promise.resolve(state.account)
    if (!bearer) return Promise.resolve(state.account)
    const account = state.account ?? knownAccount.of(bearer)
    if (account && !state.account) {
      setZone(account.user.timeZone)
      setState({ account, actor: actorOf(account) })
    }
    loading ??= load().finally(() => {
      loading = undefined
    })
    return account ? Promise.resolve(account) : loading
  },

  /** Re-reads the account after a change of own data or rights. Keeps the old one on failure. */
  async reload(): Promise<void> {
    if (token.get()) await read().catch(() => undefined)
  },

  /** Applies saved settings without another call. */
  applySettings<G extends keyof UserSettings>(group: G, value: UserSettings[G]): void {
    if (!state.account) return
    const { user } = state.account
    setState({ account: { ...state.account, user: { ...user, settings: { ...user.settings, [group]: value } } } })
  },

  /** Form fields as in the specification. Throws ApiError on 429 and on network failure. */
  async signIn(form: SignIn): Promise<SignInResult> {
    const body = { ...form, sipPhone: form.sipPhone ?? '' }
    const answer = await api('POST /auth/login', { body }, { forbidden: 'silent', quiet: true, anonymous: true })
    if (answer?.secondFactor) return { asked: answer.secondFactor }
    if (answer?.showSessionWarning) return 'session-warning'
    if (!answer?.accessToken) return { error: answer?.errorText || 'Неизвестная ошибка авторизации' }
    token.set(answer.accessToken)
    signedInBy = form.password
    earlyCalls.restart()
    setState(nobody)
    return 'in'
  },

  /** The password typed at the sign-in in this window, for the form that changes a temporary one; asked again after a reload. */
  temporaryPassword: (): string | undefined => signedInBy,

  /** On the user's request. Stays signed in with a message when the server cannot be reached. */
  async signOut(): Promise<boolean> {
    try {
      await api('POST /auth/logout', {}, { forbidden: 'silent' })
    } catch {
      if (!token.get()) return true
      notify.error('Ошибка при выходе из системы')
      return false
    }
    leave()
    return true
  },

  /** Without the user: a refused refresh, or a request of the other system. Leaves whatever the server answers. */
  async drop(): Promise<void> {
    if (!state.account && !token.get()) return
    const bearer = token.get()
    leave()
    const headers: Record<string, string> = bearer ? { Authorization: `Bearer ${bearer}` } : {}
    await fetch(urlOf('/auth/logout'), { method: 'POST', credentials: 'include', headers }).catch(() => undefined)
  },

  /** Called before the local storage is cleared: to close sockets and drop caches. */
  onLeave(listener: () => void): () => void {
    onLeave.add(listener)
    return () => onLeave.delete(listener)
  },
}

async function read(): Promise<Account> {
  const answer = await api('POST /common/get-account', {}, { forbidden: 'silent' })
  // Defaults are used instead (spec §8).
  if (!answer.user.settings?.main)
    notify.error('Действуют настройки по умолчанию', {
      title: 'Не удалось получить настройки пользователя',
      id: 'settings',
    })
  const { cursor, ...rest } = completeAccount(answer)
  const before = state.account
  // Nothing re-renders when the server confirms what was known.
  const account = before && shownOf(before) === shownOf(rest) ? before : rest
  setZone(account.user.timeZone)
  setState({ account, read: true, actor: account === before ? state.actor : actorOf(account), failed: false })
  earlyCalls.accountRead(cursor)
  const bearer = token.get()
  if (bearer && account !== before) knownAccount.keep(bearer, account)
  if (before && rightsOf(before) !== rightsOf(account)) sessionScreens.guardAgain()
  return account
}

/** The account without fields that change with each read and are not displayed. */
const shownOf = (account: Account): string =>
  JSON.stringify(account, (key, value) => (key === 'lastActive' || key === 'cursor' ? undefined : value))

/** The rights that page guards use. */
const rightsOf = ({ user, common }: Account): string =>
  JSON.stringify([Object.keys(user.permissions).sort(), common.tariff, common.additionalServices])

async function load(): Promise<Account | null> {
  try {
    return await read()
  } catch (error) {
    if (!state.account) setState({ ...nobody, failed: token.get() !== null })
    notify.error(errorMessage(error), { title: 'Не удалось получить аккаунт', id: 'account' })
    return state.account
  }
}

function leave(): void {
  for (const listener of onLeave) listener()
  signedInBy = undefined
  storage.clear()
  earlyCalls.restart()
  setState(nobody)
  sessionScreens.showLogin()
}

httpEvents.unauthorized = () => void session.drop()

token.watch((value) => {
  if (value === null && state.account) leave()
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The account, or null without a sign-in. */
export function useMaybeAccount(): Account | null {
  return useSyncExternalStore(subscribe, session.account)
}

/** The signed-in account, for screens behind the guard. Screens still mounted during the sign-out keep the last one. */
export function useAccount(): Account {
  const account = useMaybeAccount() ?? lastAccount
  if (!account) throw new Error('No account: this screen must stand behind the guard')
  return account
}

/** The actor, for `can(actor, 'update', Task, task)`. */
export function useActor(): Actor {
  const account = useAccount()
  return useMemo(() => actorOf(account), [account])
}

export function useUserSettings(): UserSettings {
  return useAccount().user.settings
}
