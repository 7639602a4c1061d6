/** The pass from the clinic into its training clinic: who comes and as whom, signed, good for a minute. */
import { createHmac, timingSafeEqual } from 'node:crypto'
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
  const body = Buffer.from(JSON.stringify({ ...trainee, until: now + LIFE_MS })).toString('base64url')
  return `${body}.${signature(body, secret).toString('base64url')}`
}

/** @returns undefined for a ticket that is forged or old */
export function readTicket(ticket: string, secret: string, now = Date.now()): Trainee | undefined {
  const [body = '', signed = ''] = ticket.split('.')
  const given = Buffer.from(signed, 'base64url')
  const right = signature(body, secret)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
  const { until, ...trainee } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Trainee & { until: number }
  return until >= now ? trainee : undefined
}
