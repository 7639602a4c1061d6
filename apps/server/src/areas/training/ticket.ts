/** The pass from the clinic into its training clinic: the person and the role, signed, good once, within a minute. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { TrainingRoleKey } from '@ordinator/model/areas/training/tasks'

export interface Trainee {
  /** Id of the employee in the clinic. */
  id: number
  surname: string
  name: string
  middleName: string
  role: TrainingRoleKey
}

const LIFE_MS = 60_000

/** Secret of the training clinic: a token of one clinic is worth nothing in the other. */
export const trainingSecret = (secret: string): string =>
  createHmac('sha256', secret).update('ordinator training clinic').digest('base64url')

const signature = (body: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(`training ticket ${body}`).digest()

/** @param secret that of the training clinic */
export function writeTicket(trainee: Trainee, secret: string, now = Date.now()): string {
  const body = Buffer.from(
    JSON.stringify({ ...trainee, until: now + LIFE_MS, once: randomBytes(9).toString('base64url') }),
  ).toString('base64url')
  return `${body}.${signature(body, secret).toString('base64url')}`
}

/** Tickets that have opened a session, with the time of their end. */
const spent = new Map<string, number>()

/** @returns whether the ticket opens a session: it does once. @param ticket read by `readTicket` */
export function spendTicket(ticket: string, now = Date.now()): boolean {
  for (const [one, until] of spent) if (until < now) spent.delete(one)
  const [body = ''] = ticket.split('.')
  if (spent.has(body)) return false
  spent.set(body, now + LIFE_MS)
  return true
}

/** @returns undefined for a ticket that is forged or old */
export function readTicket(ticket: string, secret: string, now = Date.now()): Trainee | undefined {
  const [body = '', signed = ''] = ticket.split('.')
  const given = Buffer.from(signed, 'base64url')
  const right = signature(body, secret)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
  const {
    until,
    once: _,
    ...trainee
  } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Trainee & {
    until: number
    once: string
  }
  return until >= now ? trainee : undefined
}
