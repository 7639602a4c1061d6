/** Requests by the form of the site: stored in the intake of deals, with the version of the accepted consent. */
import { SiteAcceptance } from '@ordinator/model/areas/site/policy'
import type { FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import { takeSiteForm } from '#areas/sales/index.ts'
import { addressOf } from '#platform/address.ts'
import { HttpError, tooMany, ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { TRAP } from './askForm.ts'
import type { Site } from './reads.ts'

/** Maximum number of requests per hour by one address, and in total: above it visitors are asked to call. */
const OF_ADDRESS = 10
const OF_ALL = 600
const known = ['name', 'phone', 'message', 'consent', TRAP]

export type FormAnswer = { done: true } | { status: 422; error: string; values: Record<string, string> }

/** @throws HttpError 429 */
export async function takeForm(app: AppContext, site: Site, request: FastifyRequest): Promise<FormAnswer> {
  const body = (request.body ?? {}) as Record<string, unknown>
  const values = Object.fromEntries(
    known.map((name) => [name, typeof body[name] === 'string' ? (body[name] as string) : '']),
  )
  // A bot gets a normal response.
  if (values[TRAP]) return { done: true }
  const wrong = (error: string): FormAnswer => ({ status: 422, error, values })
  if (site.consent === null || !site.hasIntake) throw new HttpError(404, 'Форма сейчас не работает')
  if (!values.phone?.trim()) return wrong('Укажите телефон, чтобы мы могли ответить')
  if (!values.consent) return wrong('Отметьте согласие на обработку персональных данных')
  if (values.consent !== String(site.consent))
    return wrong('Текст согласия изменился: прочитайте его и отметьте ещё раз')
  const address = addressOf(request.ip)
  const page = (request.headers.referer ?? '').slice(0, 500)
  try {
    await app.engine.for(systemActor).tx(async (records, tx) => {
      // Serialized per address, so that concurrent requests are counted.
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`site form ${address}`}, 0))`)
      const sent = await tx.one<{ own: number; all: number }>(sql`select
        (select count(*)::int from client_acceptances where "address" = ${address} and "dateCreate" > now() - interval '1 hour') as own,
        (select count(*)::int from (select 1 from client_acceptances where "dateCreate" > now() - interval '1 hour'
          limit ${OF_ALL}) a) as all`)
      if ((sent?.own ?? 0) >= OF_ADDRESS || (sent?.all ?? 0) >= OF_ALL)
        throw tooMany(3600, 'Заявок слишком много: позвоните нам или попробуйте позже')
      const made = await takeSiteForm(records, tx, site.theme.idIntake, {
        name: values.name ?? '',
        phone: values.phone ?? '',
        message: values.message ?? '',
        page,
      })
      if (!made) return
      await records.asSystem.create(SiteAcceptance, {
        idPolicy: site.consent as number,
        idRequest: made.id,
        name: made.name,
        phone: made.phone,
        email: made.email,
        page,
        address,
      })
    })
  } catch (error) {
    if (error instanceof ValidationError) return wrong(error.message)
    throw error
  }
  return { done: true }
}
