/**
 * The attachment form on the clinic's site: plain HTML without a script, with files. It creates an application and a
 * record of the accepted consent version, in one transaction.
 */
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ApplicationFile, ApplicationPaper, AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { attachmentDocuments, attachmentFields } from '@ordinator/model/areas/attachment/papers'
import { bases, careTypes } from '@ordinator/model/areas/attachment/rules'
import { documentTypes } from '@ordinator/model/areas/customers/documents'
import { SiteAcceptance } from '@ordinator/model/areas/site/policy'
import { sexes } from '@ordinator/model/areas/staff/user'
import type { Create } from '@ordinator/model/entity'
import { plainSpelling } from '@ordinator/model/spelling'
import type { FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import { keep, type Received } from '#areas/files/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { addressOf } from '#platform/address.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, tooMany, ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { notifyApplicant } from './notify.ts'

/** Maximum number of applications per day by one address, and in total: above it people are asked to come in person. */
const OF_ADDRESS = 5
const OF_ALL = 300
/** Limits: bytes of one file, and files of one application. */
const MAX_FILE = 10 * 1024 * 1024
const MAX_FILES = 6
/** Honeypot field, invisible to people: only a bot fills it in. */
const TRAP = 'topic_check'
const EXTENSIONS: readonly string[] = ['pdf', 'png', 'jpg', 'jpeg', 'webp']

const texts = [
  ...['surname', 'name', 'middleName', 'birthday', 'citizenship', 'snils', 'enp', 'documentNumber', 'documentIssued'],
  ...[
    'phone',
    'email',
    'registration',
    'city',
    'street',
    'house',
    'flat',
    'representative',
    'representativeDocument',
    'currentMo',
  ],
] as const

export type FormTaken = { done: true; number: string } | { status: 422; error: string; values: Record<string, string> }

/** Contents of the form: null if the clinic accepts no applications. */
export interface FormShown {
  text: string
  required: readonly (keyof typeof attachmentFields)[]
  papers: readonly (keyof typeof attachmentDocuments)[]
  filials: { id: number; name: string }[]
}

export async function attachmentForm(db: Queryable): Promise<FormShown | null> {
  const settings = await readCommonSettings(db)
  if (!settings.attachmentOpen) return null
  const filials = await db.query<{
    id: number
    name: string
  }>(sql`select distinct f."id"::int as id, f."nameFilial" as name
    from filials f join attachment_areas a on a."idFilial" = f."id" and a."active" and not a."deleted"
    where f."active" and not f."deleted" order by 2 limit 50`)
  if (filials.length === 0) return null
  return {
    text: settings.attachmentText,
    required: settings.attachmentFields,
    papers: settings.attachmentDocuments,
    filials,
  }
}

/** @param idConsent of the site's consent in force @throws HttpError 404, 413, 429 */
export async function takeApplication(
  app: AppContext,
  idConsent: number | null,
  request: FastifyRequest,
): Promise<FormTaken> {
  const shown = await attachmentForm(app.db)
  if (!shown || idConsent === null) throw new HttpError(404, 'Приём заявлений сейчас закрыт')
  return app.scratch.use(async (folder) => {
    const { values, files } = await read(request, folder)
    if (values[TRAP]) return { done: true, number: '' }
    const wrong = (error: string): FormTaken => ({ status: 422, error, values })
    if (values.consent !== String(idConsent)) return wrong('Отметьте согласие на обработку персональных данных')
    const body = bodyOf(values, shown)
    if (typeof body === 'string') return wrong(body)
    const missing = missingOf(values, files, shown)
    if (missing) return wrong(missing)
    try {
      return await keepApplication(app, request, { idConsent, body, files })
    } catch (error) {
      if (error instanceof ValidationError) return wrong(labelled(error))
      throw error
    }
  })
}

interface Sent extends Received {
  kind: keyof typeof attachmentDocuments
}

/** Fields, and files in the scratch folder. @throws HttpError 413 */
async function read(
  request: FastifyRequest,
  folder: string,
): Promise<{ values: Record<string, string>; files: Sent[] }> {
  const values: Record<string, string> = {}
  const files: Sent[] = []
  const parts = request.parts({ limits: { fileSize: MAX_FILE + 1, files: MAX_FILES, fields: 60, fieldSize: 4_000 } })
  for await (const part of parts) {
    if (part.type === 'field') {
      if (typeof part.value === 'string' && part.fieldname.length < 64)
        values[part.fieldname] = plainSpelling(part.value).trim().slice(0, 1000)
      continue
    }
    const kind = part.fieldname.replace(/^file_/, '')
    if (!part.filename || !Object.hasOwn(attachmentDocuments, kind)) {
      part.file.resume()
      continue
    }
    const extension = part.filename.split('.').at(-1)?.toLowerCase() ?? ''
    if (!EXTENSIONS.includes(extension)) {
      part.file.resume()
      throw new HttpError(422, `Файл «${part.filename.slice(0, 60)}» не подойдёт: нужен PDF или фотография`)
    }
    const path = join(folder, String(files.length))
    await pipeline(part.file, createWriteStream(path, { mode: 0o600 }))
    const { size } = await stat(path)
    if (size > MAX_FILE || part.file.truncated)
      throw new HttpError(413, 'Файл больше 10 МБ: уменьшите его и отправьте снова')
    if (size > 0) files.push({ path, size, name: plainSpelling(part.filename), kind: kind as Sent['kind'] })
  }
  return { values, files }
}

/** The application, or its errors as messages. */
function bodyOf(values: Record<string, string>, { filials }: FormShown): Create<typeof AttachmentApplication> | string {
  if (!values.surname || !values.name || !values.birthday) return 'Заполните фамилию, имя и дату рождения'
  const among = <T extends object>(labels: T, value: string | undefined, usual: keyof T & string): keyof T & string =>
    value !== undefined && Object.hasOwn(labels, value) ? (value as keyof T & string) : usual
  // Browsers send ISO dates.
  const birthday = /^\d{4}-\d\d-\d\d$/.test(values.birthday)
    ? values.birthday.split('-').reverse().join('.')
    : values.birthday
  const idFilial = filials.find(({ id }) => String(id) === values.idFilial)?.id ?? filials[0]?.id
  if (idFilial === undefined) return 'Выберите филиал'
  const given = Object.fromEntries(texts.flatMap((name) => (values[name] ? [[name, values[name]]] : [])))
  return {
    ...given,
    ...{ surname: values.surname, name: values.name, birthday, idFilial, source: 'site' as const },
    gender: among(sexes, values.gender, 'none'),
    documentType: among(documentTypes, values.documentType, 'passport'),
    basis: among(bases, values.basis, 'residence'),
    careType: among(careTypes, values.careType, 'therapy'),
    isMoved: values.isMoved === '1',
  }
}

function missingOf(
  values: Record<string, string>,
  files: readonly Sent[],
  { required, papers }: FormShown,
): string | undefined {
  const has: Record<keyof typeof attachmentFields, unknown> = {
    ...{
      phone: values.phone,
      email: values.email,
      citizenship: values.citizenship,
      snils: values.snils,
      enp: values.enp,
    },
    ...{ document: values.documentNumber, registration: values.registration, currentMo: values.currentMo },
    actual: values.street && values.house,
  }
  const fields = required.filter((field) => !has[field]).map((field) => attachmentFields[field].toLowerCase())
  const sent = new Set(files.map(({ kind }) => kind))
  // The type of document, and a representative, are known only at the check.
  const wanted = papers.filter((kind) => (kind === 'oms' || kind === 'snils') && !sent.has(kind))
  const lacking = [...fields, ...wanted.map((kind) => `файл «${attachmentDocuments[kind]}»`)]
  return lacking.length ? `Не хватает: ${lacking.join(', ')}` : undefined
}

const labelled = (error: ValidationError): string =>
  error.items
    .map(({ field, message }) => {
      const known = AttachmentApplication.fields[field as keyof typeof AttachmentApplication.fields]
      return known ? `${known.options.label}: ${message}` : message
    })
    .join('. ')

async function keepApplication(
  app: AppContext,
  request: FastifyRequest,
  { idConsent, body, files }: { idConsent: number; body: Create<typeof AttachmentApplication>; files: readonly Sent[] },
): Promise<FormTaken> {
  const address = addressOf(request.ip)
  const [keeper] = await app.db.query<{ id: number }>(
    sql`select "id"::int as id from users where not "deleted" order by "id" limit 1`,
  )
  if (!keeper) throw new HttpError(503, 'Приём заявлений сейчас закрыт')
  const records = app.engine.for(systemActor)
  const made = await records.tx(async (own, tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`attachment form ${address}`}, 0))`)
    const sent = await tx.one<{ own: number; all: number }>(sql`select
      (select count(*)::int from client_acceptances where "address" = ${address} and "page" = '/attachment' and "dateCreate" > now() - interval '1 day') as own,
      (select count(*)::int from (select 1 from attachment_applications where "source" = 'site' and "dateCreate" > now() - interval '1 day' limit ${OF_ALL}) a) as all`)
    if ((sent?.own ?? 0) >= OF_ADDRESS || (sent?.all ?? 0) >= OF_ALL)
      throw tooMany(3600, 'Заявлений сегодня уже много: позвоните нам или приходите в регистратуру')
    const one = await own.create(AttachmentApplication, body)
    await own.asSystem.create(SiteAcceptance, {
      ...{ idPolicy: idConsent, name: one.fio, phone: one.phone, email: one.email, page: '/attachment', address },
    })
    const file = app.engine.for({ ...systemActor, id: keeper.id })
    for (const { kind, ...received } of files) {
      const stored = await keep(ApplicationPaper, app, file, received)
      await own.asSystem.create(ApplicationFile, { idApplication: one.id, idFile: stored.id as number, kind })
    }
    const now = await own.row(AttachmentApplication, one.id)
    await notifyApplicant(app, tx, now, 'taken')
    return now
  })
  return { done: true, number: made.number ?? String(made.id) }
}
