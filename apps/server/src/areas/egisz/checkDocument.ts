/**
 * Generates a document from its source by a template and validates it before signing: required values, the schema, the
 * ministry's rules and the dictionaries. All findings are returned together, each with its correction and place.
 */

import {
  DocumentTemplateError,
  makeDocument,
  readDocumentTemplate,
} from '@ordinator/model/areas/egisz/documentTemplate'
import { type Finding, MAX_FINDINGS, type Severity } from '@ordinator/model/areas/egisz/semd'
import type { EgiszDocument } from '@ordinator/model/areas/exchange/egisz'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { schematronOf } from '#platform/xml/schematron.ts'
import { XmlError, type XmlNode, xmlOf } from '#platform/xml/xml.ts'
import type { AppContext } from '#records/context.ts'
import { type AboutDocument, documentData, generalMending } from './documentData.ts'
import { editionOf, templateParts } from './editions.ts'
import type { Mending, SemdSource, SourceData } from './sources.ts'

/** Dictionaries by the names under which templates request their version. */
const versionNames: Readonly<Record<string, string>> = {
  kinds: '1.2.643.5.1.13.13.11.1522',
  posts: '1.2.643.5.1.13.13.11.1002',
  icd10: '1.2.643.5.1.13.13.11.1005',
  services: '1.2.643.5.1.13.13.11.1070',
  tests: '1.2.643.5.1.13.13.11.1080',
  specimens: '1.2.643.5.1.13.13.99.2.1019',
  units: '1.2.643.5.1.13.13.11.1358',
  panels: '1.2.643.5.1.13.13.11.1437',
}
/** Versions used until the clinic has loaded a dictionary: those that the templates were written for. */
const versionsByDefault: Readonly<Record<string, string>> = {
  kinds: '7.24',
  posts: '7.5',
  icd10: '2.19',
  services: '2.9',
  tests: '3.50',
  specimens: '2.4',
  units: '3.23',
  panels: '1.1',
}

/** The page of templates, schemas and rules. */
const setUp = '/settings/egisz-editions'

export interface Made {
  xml: string | null
  findings: Finding[]
}

/** @param who requester, for the queue of the checkers */
export async function makeAndCheck(
  app: AppContext,
  kind: Pick<Row<typeof EgiszDocument>, 'code'>,
  source: SemdSource,
  idSource: number,
  read: SourceData,
  about: AboutDocument,
  who: number | string,
): Promise<Made> {
  const edition = await editionOf(app.db, kind.code)
  if (!edition?.template)
    return {
      xml: null,
      findings: [
        {
          source: 'template',
          severity: 'error',
          code: kind.code,
          message: `Для документа ${kind.code} нет шаблона`,
          mend: 'Добавьте шаблон и схемы этой редакции',
          link: setUp,
        },
      ],
    }
  const { typeCode, typeName, templateId, ready } = edition.row
  const data = await documentData(
    app.db,
    read,
    about,
    { type: typeCode, typeName, templateId, needsInn: ready === 'taxCertificate' },
    await versionsInUse(app.db),
  )
  const findings: Finding[] = []
  let xml: string
  try {
    const made = makeDocument(readDocumentTemplate(edition.template, templateParts()), data)
    xml = made.xml
    findings.push(...made.missing.map((path) => missing(path, { ...generalMending, ...source.mend }, idSource, read)))
  } catch (error) {
    if (!(error instanceof DocumentTemplateError)) throw error
    return {
      xml: null,
      findings: [
        {
          source: 'template',
          severity: 'error',
          code: kind.code,
          message: error.message,
          mend: 'Исправьте шаблон',
          link: setUp,
        },
      ],
    }
  }
  findings.push(...(await checkContent(app, xml, edition, who)))
  if (!edition.schema || !edition.schematron)
    findings.push({
      source: 'template',
      severity: 'warning',
      code: kind.code,
      message: `Проверка неполная: для документа ${kind.code} нет ${edition.schema ? 'схематрона' : edition.schematron ? 'схемы' : 'схемы и схематрона'}`,
      mend: 'Загрузите файлы Минздрава',
      link: setUp,
    })
  return { xml, findings: (await weighed(app.db, kind.code, findings)).slice(0, MAX_FINDINGS) }
}

/** What the schema, the rules and the dictionaries find in a document. */
async function checkContent(
  app: AppContext,
  xml: string,
  { schema, schematron }: Pick<NonNullable<Awaited<ReturnType<typeof editionOf>>>, 'schema' | 'schematron'>,
  who: number | string,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const bytes = Buffer.from(xml)
  try {
    if (schema)
      for (const fault of await xmlOf(app).validate(bytes, schema, { who }))
        findings.push({
          source: 'schema',
          severity: 'error',
          code: fault.path ?? `строка ${fault.line}`,
          message: fault.message.slice(0, 800),
        })
    const document = await xmlOf(app).parse(bytes, { who })
    if (schematron)
      for (const broken of await schematronOf(app).check(xml, schematron, who))
        findings.push({
          source: 'schematron',
          severity: 'error',
          code: broken.code || 'правило',
          message: broken.message,
        })
    findings.push(...(await dictionaryFindings(app.db, document)))
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    findings.push({
      source: 'schema',
      severity: 'error',
      code: 'xml',
      message: error.message,
      mend: 'Исправьте шаблон',
      link: setUp,
    })
  }
  return findings
}

/** @param path of a missing required value */
function missing(
  path: string,
  mending: Readonly<Record<string, Mending>>,
  idSource: number,
  read: SourceData,
): Finding {
  let name = path
  while (!Object.hasOwn(mending, name) && name.includes('.')) name = name.slice(0, name.lastIndexOf('.'))
  const where = Object.hasOwn(mending, name) ? mending[name] : undefined
  const link = where?.link
    .replace(':customer', String(read.idCustomer))
    .replace(':user', String(read.idUser))
    .replace(':id', String(idSource))
  return {
    source: 'data',
    severity: 'error',
    code: path,
    message: `Не заполнено: ${where?.label ?? path}`,
    mend: where ? `Заполните: ${where.label}` : 'Дополните данные документа',
    ...(link && { link }),
  }
}

async function versionsInUse(db: Queryable): Promise<Record<string, string>> {
  const loaded = await db.query<{ oid: string; version: string }>(
    sql`select "oid", "version" from egisz_dictionaries where "version" is not null and not "deleted"`,
  )
  const byOid = new Map(loaded.map(({ oid, version }) => [oid, version]))
  return Object.fromEntries(
    Object.entries(versionNames).map(([name, oid]) => [name, byOid.get(oid) ?? (versionsByDefault[name] as string)]),
  )
}

interface Coded {
  oid: string
  code: string
  name: string
}

/** Findings for every code of a dictionary that the clinic has loaded. */
async function dictionaryFindings(db: Queryable, document: XmlNode): Promise<Finding[]> {
  const coded = new Map<string, Coded>()
  const walk = ({ attributes, children }: XmlNode) => {
    const { code, codeSystem, displayName = '' } = attributes
    if (code && codeSystem) coded.set(`${codeSystem} ${code}`, { oid: codeSystem, code, name: displayName })
    for (const child of children) walk(child)
  }
  walk(document)
  if (coded.size === 0) return []
  const found = await db.query<Coded & { title: string; there: string | null }>(sql`
    select a.oid, a.code, a.name, d."name" as title, t."name" as there
    from jsonb_to_recordset(${JSON.stringify([...coded.values()])}::jsonb) as a(oid text, code text, name text)
    join egisz_dictionaries d on d."oid" = a.oid and d."active" and d."version" is not null and not d."deleted"
    left join egisz_terms t on t."idDictionary" = d."id" and t."version" = d."version" and t."code" = a.code
    where t."code" is null or lower(btrim(t."name")) <> lower(btrim(a.name))`)
  return found.map(({ oid, code, name, title, there }) =>
    there === null
      ? {
          source: 'dictionary' as const,
          severity: 'error' as const,
          code: oid,
          message: `Кода ${code} («${name}») нет в справочнике «${title}»`,
          mend: 'Выберите действующее значение или обновите справочник',
          link: '/settings/egisz-dictionaries',
        }
      : {
          source: 'dictionary' as const,
          severity: 'warning' as const,
          code: oid,
          message: `Код ${code} в справочнике «${title}» называется «${there}», а в документе «${name}»`,
        },
  )
}

/** Applies the severities of the clinic's rules. */
async function weighed(db: Queryable, document: string, findings: readonly Finding[]): Promise<Finding[]> {
  const rules = await db.query<{ source: string; code: string; severity: Severity }>(sql`
    select "source", "code", "severity" from egisz_rules where not "deleted" and coalesce(nullif("document", ''), ${document}) = ${document}
    order by nullif("document", '') is null`)
  const ruleOf = (one: Finding) => rules.find(({ source, code }) => source === one.source && code === one.code)
  return findings.flatMap((one): Finding[] => {
    const severity = ruleOf(one)?.severity ?? one.severity
    return severity === 'off' ? [] : [{ ...one, severity }]
  })
}
