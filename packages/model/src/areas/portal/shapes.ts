/** Answers of the patient portal. */

import type { RefusedWay } from '../messages/events.ts'
import type { PortalAction, SignInWay } from './rules.ts'

/** Data of the patients' room before sign-in. */
export interface PortalStart {
  isOn: boolean
  /** Already signed in on this device. */
  isIn: boolean
  clinicName: string
  /** Phone for help with sign-in. */
  clinicPhone: string | null
  ways: SignInWay[]
  /** Demo clinic only: patients to sign in as. */
  demo: { name: string; phone: string; birthday: string | null }[] | null
}

export interface PortalPerson {
  id: number
  name: string
  fio: string
  /** «Ребёнок»; null for the signed-in patient. */
  relation: string | null
}

/** The signed-in patient, the relatives they may see, and their allowed actions. */
export interface PortalMe {
  clinicName: string
  person: PortalPerson
  family: PortalPerson[]
  /** Signed in by a code, or by a link and the birthday; required for medical data. */
  isProven: boolean
  /** Signed in by a personal link, which never opens dialogues. */
  byLink: boolean
  actions: PortalAction[]
  /** Hours before a visit from which it can be cancelled only by phone. */
  cancelHours: number
  /** The same for moving a visit. */
  moveHours: number
  /** The clinic shows goods for sale. */
  hasGoods: boolean
  /** The clinic sells memberships in the portal. */
  hasMemberships: boolean
  /** A family account pays for the patient, or the patient for others. */
  hasFamily: boolean
  /** The clinic rewards those who bring friends. */
  hasFriends: boolean
}

/** What a patient gets for friends. */
export interface PortalFriends {
  /** Address for friends, with the code. */
  url: string
  code: string
  /** Bonuses of the patient and of the friend after the friend's first paid visit. */
  reward: number
  gift: number
  mostInYear: number
  friends: { state: string; sum: number | null; day: string }[]
}

/** A product that the clinic sells; it cannot be ordered here. */
export interface PortalGood {
  id: number
  name: string
  group: string | null
  /** «от 1 200 ₽» */
  price: string
  /** «Осталось 3», by branch; empty: not kept in the warehouse. */
  stock: { filial: string; text: string; isFree: boolean }[]
}

export interface PortalVisit {
  id: number
  dateFrom: string
  /** In the branch's time zone. */
  localDate: string
  localStart: string
  status: string
  statusName: string
  /** Null: a patient signed in by a link only sees the visit without its services. */
  services: string | null
  doctor: string
  filial: string
  address: string | null
  phone: string | null
  /** Rubles of its lines. */
  cost: number | null
  /** Deposit due; `url` null: pay at the desk. An unpaid visit is cancelled after `until`. */
  deposit: { sum: number; until: string; url: string | null } | null
  /** Before discounts, if they change it. */
  fullCost: number | null
  /** Applied discounts: «Первый визит: −45 ₽». */
  why: string[]
  mayConfirm: boolean
  mayCancel: boolean
  mayMove: boolean
}

export interface PortalData {
  fio: string
  birthday: string | null
  phone: string | null
  email: string | null
  address: string | null
  snils: string | null
  /** Channels for messages about visits and results; advertising needs consent. */
  ways: Record<RefusedWay, boolean>
  policies: { number: string; company: string | null; dateTo: string | null }[]
  consents: { name: string; status: string; signedOn: string | null; validTo: string | null }[]
}

/** A sign-in session of a patient. Times are ISO 8601. */
export interface PortalSession {
  id: number
  userAgent: string | null
  byLink: boolean
  dateCreate: string
  dateSeen: string
  isCurrent: boolean
}
