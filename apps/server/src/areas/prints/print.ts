import { allowed } from '@ordinator/model/access'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { Organization } from '@ordinator/model/areas/filials/organization'
import { printCalls } from '@ordinator/model/areas/prints/calls'
import type { RecordData } from '@ordinator/model/areas/prints/evaluate'
import type { Shown } from '@ordinator/model/areas/prints/formats'
import { PrintFile, PrintTemplate, sheetOf } from '@ordinator/model/areas/prints/printTemplate'
import type { Needs } from '@ordinator/model/areas/prints/variables'
import type { CommonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { type PrintedSetting, printedSettings } from '@ordinator/model/areas/settings/printedSettings'
import { shortFioOf } from '@ordinator/model/areas/staff/names'
import { User } from '@ordinator/model/areas/staff/user'
import type { Row } from '@ordinator/model/entity'
import { formatDate, formatDateTime } from '@ordinator/model/format'
import { nameParts } from '@ordinator/model/spelling'
import { dayIn } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { ownPictures } from '#areas/examinations/index.ts'
import { ownOrganization } from '#areas/filials/index.ts'
import { pictureNamed, readCommonSettings } from '#areas/settings/index.ts'
import { sendPdf } from '#platform/disposition.ts'
import { badRequest, forbidden, HttpError } from '#platform/errors.ts'
import type { Sheet } from '#platform/pdf.ts'
import { drawing, pressOf } from '#platform/pdfPool.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { sanitize, whyNotCleaned } from '#records/sanitize.ts'
import { asMade, numberOf } from './numbered.ts'
import { entityOf, journalPrint } from './printing.ts'
import { type Reading, readAround, readRecord } from './readings.ts'
import { type ReadText, readTexts } from './templates.ts'

type Template = Row<typeof PrintTemplate>

const drawn = drawing<typeof import('./drawPrint.ts')>(new URL('./drawPrint.ts', import.meta.url))

export const pdf = operation(printCalls.pdf, async ({ app, records, actor, params, query, reply }) => {
  const template = await records.row(PrintTemplate, params.id)
  if (query.sample ? !allowed(actor, PrintTemplate.access.update) : !template.isInForce)
    throw query.sample ? forbidden() : new HttpError(409, 'Этот шаблон сейчас не действует')
  const entity = entityOf(template.entity)
  const read = readTexts(template, entity)
  const reading = await readRecord(records, entity, query.record, read.bound.needs)
  const idFilial = query.idFilial ?? reading.idFilial ?? (await ownBranch(app, actor.id))
  const number = query.sample
    ? 'образец'
    : template.idSequence === null
      ? ''
      : await numberOf(records, template.id, template.idSequence, query.record, idFilial)
  const settings = await readCommonSettings(app.db)
  const around = await withAround({ app, records, read, reading, idFilial, number, settings })
  const today = template.askSign
    ? withSigners(around, reading, await signatoryOf(app, settings.mainOrganization))
    : around
  const isNumbered = !query.sample && template.idSequence !== null
  const { data, version } = isNumbered
    ? await asMade(records, { idTemplate: template.id, entity, idEntity: query.record }, today, query.version)
    : { data: today, version: 1 }
  const title = [template.name, number && !query.sample && `№ ${number}`, version > 1 && `ред. ${version}`]
    .filter(Boolean)
    .join(' ')
  const made = await pressOf(app).run(
    drawn,
    {
      text: read.text,
      data,
      context: { timeZone: actor.timeZone, today: dayIn(actor.timeZone, Date.now()) },
      own: await ownPictures(app.db.reads, [...reading.pictures]),
      pdf: {
        title,
        clinicName: settings.clinicName,
        sheet: sheetIn(template),
        size: template.fontSize,
        copies: query.sample ? 1 : template.copies,
        hasPageNumbers: template.hasPageNumbers,
        signs: template.askSign ? await signsOf(records, template, data) : [],
        pictures: { ...(await picturesOf(app, records, template)), ...(await logoOf(app, settings)) },
        color: settings.companyColor,
      },
    },
    actor,
  )
  if (!('pdf' in made)) throw new Error('no paper was drawn')
  await journalPrint(app, records, entity, query.record, reading, query.sample ? 'view' : 'print', title)
  return sendPdf(reply, `${title.replace(/[/\\:]/g, '-')}.pdf`, made.pdf)
})

export const preview = operation(printCalls.preview, async ({ app, records, actor, body }) => {
  const entity = entityOf(body.entity)
  const read = readTexts({ body: clean(body.body), header: clean(body.header), footer: clean(body.footer) }, entity)
  const problems = read.errors.map(({ message }) => message)
  if (body.record === null) return { body: '', header: '', footer: '', problems }
  const reading = await readRecord(records, entity, body.record, read.bound.needs)
  const settings = await readCommonSettings(app.db)
  const idFilial = reading.idFilial ?? (await ownBranch(app, actor.id))
  const data = await withAround({ app, records, read, reading, idFilial, number: '0001', settings })
  const context = { timeZone: actor.timeZone, today: dayIn(actor.timeZone, Date.now()) }
  const own = await ownPictures(app.db.reads, [...reading.pictures])
  const made = await pressOf(app).run(drawn, { text: read.text, data, context, own }, actor)
  if (!('words' in made)) throw new Error('nothing was printed')
  await journalPrint(app, records, entity, body.record, reading, 'view', 'Просмотр шаблона печати')
  return { ...made.words, problems }
})

function clean(html: string | null): string | null {
  if (html === null) return null
  const message = whyNotCleaned(html)
  if (message) throw badRequest(message)
  return sanitize(html)
}

interface Around {
  app: AppContext
  records: Records
  read: ReadText
  reading: Reading
  idFilial: number | undefined
  number: string
  settings: CommonSettings
}

/** The record with related data, with the printing user's rights. */
async function withAround({ app, records, read, reading, idFilial, number, settings }: Around): Promise<RecordData> {
  const { around } = read.bound
  const { actor } = records
  const now = new Date().toISOString()
  const of: Record<string, RecordData | Shown> = {
    '@number': { shown: number },
    '@today': { shown: formatDate(now, actor.timeZone), raw: now },
    '@now': { shown: formatDateTime(now, actor.timeZone), raw: now },
    '@clinic': { shown: settings.clinicName },
    '@logo': settings.companyLogo ? { shown: 'Логотип', picture: logoAddress(settings) } : { shown: '' },
  }
  for (const name of Object.keys(printedSettings) as PrintedSetting[]) of[`@${name}`] = { shown: settings[name] }
  const ids = {
    '@user': [User, () => actor.id, undefined],
    '@filial': [Filial, () => idFilial, undefined],
    '@organization': [Organization, () => ownOrganization(app.db, settings.mainOrganization), requisites],
  } as const
  for (const [key, [entity, idOf, shown]] of Object.entries(ids)) {
    const needs = around.get(key)
    const data = needs && (await readAround(records, entity, await idOf(), needs, reading.patients, shown))
    if (data) of[key] = data
  }
  return { shown: reading.data.shown, of: { ...reading.data.of, ...of } }
}

const needsOf = (fields: string, relations: Record<string, Needs> = {}): Needs => ({
  fields: new Set(fields.split(' ')),
  relations: new Map(Object.entries(relations)),
})

/** Fields of the clinic's own organization available in every document, whoever prints it. */
const requisites = needsOf(
  'shortName fullName inn kpp ogrn oid legalAddress phone email licenceNumber licenceDate licenceIssuer',
  { accounts: needsOf('bankName bik account corrAccount isMain'), signatories: needsOf('fio post basis') },
)

/** The employee's branch; the first of several. For an employee of all branches, the only one of the clinic. */
const ownBranch = async ({ db }: AppContext, idUser: number): Promise<number | undefined> =>
  (
    await db.one<{ id: number | null }>(sql`select coalesce(
        (select f."id" from filials f join users u on u."id" = ${idUser} where f."id" = any (u."filials") and not f."deleted"
          order by f."id" limit 1),
        (select min("id") from filials where not "deleted" having count(*) = 1))::int as id`)
  )?.id ?? undefined

/** Names under the lines for signatures. */
const signers = { patient: '@patient', doctor: '@doctor', clinic: '@signatory' } as const

const withSigners = (data: RecordData, { patient, doctor }: Reading, clinic: string): RecordData => {
  const names = Object.entries({ patient, doctor, clinic }).filter(([, name]) => name)
  const own = Object.fromEntries(names.map(([who, name]) => [signers[who as keyof typeof signers], { shown: name }]))
  return { ...data, of: { ...data.of, ...own } }
}

/**
 * An extract is signed by the doctor of its record; a contract or an act for the clinic by the first signatory of its own
 * organization, or, where none is known, by hand on an empty line; any other document by the printing user.
 */
async function signsOf(records: Records, { kind }: Template, data: RecordData): Promise<[string, string][]> {
  const nameOf = (who: keyof typeof signers) => (data.of[signers[who]] as Shown | undefined)?.shown ?? ''
  if (kind === 'extract' && nameOf('doctor')) return [['Врач', nameOf('doctor')]]
  const clinic = kind === 'contract' ? nameOf('clinic') : (await records.row(User, records.actor.id)).shortFio
  return [
    ['От клиники', clinic],
    ['Пациент', nameOf('patient')],
  ]
}

async function signatoryOf({ db }: AppContext, mainOrganization: CommonSettings['mainOrganization']): Promise<string> {
  const id = await ownOrganization(db, mainOrganization)
  const first = await db.one<{ fio: string }>(sql`select "fio" from organizations_signatories
    where "idOrganization" = ${id ?? 0} and not "deleted" order by "order", "id" limit 1`)
  return first ? shortFioOf(nameParts(first.fio)) : ''
}

const MM = 72 / 25.4

function sheetIn(template: Template): Sheet {
  const [width, height] = sheetOf(template)
  return {
    size: [width * MM, height * MM],
    margins: {
      top: template.marginTop * MM,
      right: template.marginRight * MM,
      bottom: template.marginBottom * MM,
      left: template.marginLeft * MM,
    },
  }
}

/** Limits of pictures in a template: number, bytes and pixels of each. */
const MAX_PICTURES = 10
const MAX_BYTES = 5 * 1024 * 1024
const MAX_PIXELS = 6_000_000

const logoAddress = ({ companyLogo }: CommonSettings): string => `/settings/pictures/${companyLogo}`

async function logoOf({ db }: AppContext, settings: CommonSettings): Promise<Record<string, Uint8Array>> {
  const bytes = settings.companyLogo ? await pictureNamed(db.reads, settings.companyLogo) : undefined
  return bytes ? { [logoAddress(settings)]: new Uint8Array(bytes) } : {}
}

/** The pictures in the texts that belong to templates. */
async function picturesOf(app: AppContext, records: Records, texts: Template): Promise<Record<string, Uint8Array>> {
  const found: Record<string, Uint8Array> = {}
  const html = [texts.body, texts.header, texts.footer].join('')
  const ids = new Set([...html.matchAll(/<img[^<>]* src="\/files\/(\d{1,15})"/g)].map(([, id]) => Number(id)))
  for (const id of [...ids].slice(0, MAX_PICTURES)) {
    const file = await records.row(PrintFile, id).catch(() => undefined)
    const { width = 0, height = 0 } = file?.meta ?? {}
    if (!file || file.size > MAX_BYTES || width * height > MAX_PIXELS) continue
    const chunks: Buffer[] = []
    for await (const chunk of await app.files.get(file.key)) chunks.push(chunk as Buffer)
    found[`/files/${id}`] = new Uint8Array(Buffer.concat(chunks))
  }
  return found
}
