/** Content of a printed regulation, shared by PDF and DOCX. */

import { buffer } from 'node:stream/consumers'
import { RegulationRead } from '@ordinator/model/areas/regulations/regulation'
import { regulationStatuses } from '@ordinator/model/areas/regulations/status'
import { RegulationFile, stepImportances, stepStatuses, stepTypes } from '@ordinator/model/areas/regulations/step'
import type { RegulationView, Stage } from '@ordinator/model/areas/regulations/wire'
import type { Row } from '@ordinator/model/entity'
import { formatDate, formatSpan } from '@ordinator/model/format'
import { letterheadOf } from '#areas/filials/index.ts'
import type { Letterhead } from '#platform/letterhead.ts'
import { previewKey } from '#platform/storage.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { viewOf } from './view.ts'

/** Maximum number of pictures; the others are only named. */
const MAX_PICTURES = 300
/** Maximum pixels of a picture's longer side: 150 dpi over a page. */
const SIDE = 1200
const QUALITY = 82
/** Empty lines for handwritten names. */
const EMPTY_LINES = 12
const MAX_READERS = 500

export interface Picture {
  /** JPEG; absent if it cannot be displayed. */
  bytes?: Uint8Array
  /** Pixels. */
  width: number
  height: number
  caption: string
}

export interface PaperStep {
  title: string
  facts: Fact[]
  /** Rich text. */
  html: string | null
  /** Decoded one at a time, so that memory holds only one. */
  pictures: Picture[]
}

export type Fact = readonly [label: string, value: string]

export interface Paper {
  name: string
  head: Letterhead
  description: string
  facts: Fact[]
  steps: PaperStep[]
  /** Signers; absent: no acknowledgement sheet. */
  sheet?: { name: string; date: string }[]
}

/**
 * @param withSheet include the acknowledgement sheet: people in the user's scope, and empty lines
 * @throws HttpError 404 when the regulation is outside the user's scope
 */
export async function paperOf(app: AppContext, records: Records, id: number, withSheet: boolean): Promise<Paper> {
  const view = await viewOf(records, id)
  const head = await letterheadOf(app.db)
  const { timeZone } = records.actor
  const files = await filesOf(records, view)
  const steps: PaperStep[] = []
  for (const stage of view.stages) {
    const pictures: Picture[] = []
    for (const { idFile, description } of stage.images)
      pictures.push(await pictureOf(app, files.get(idFile), description ?? ''))
    steps.push({
      title: stage.title,
      facts: stepFacts(stage),
      html: stage.description,
      pictures,
    })
  }
  return {
    name: view.name,
    head,
    description: view.description ?? '',
    facts: headFacts(view, timeZone),
    steps,
    ...(withSheet && { sheet: await sheetOf(records, view) }),
  }
}

function headFacts(view: RegulationView, timeZone: string): Fact[] {
  const day = (value: string | null) => (value ? formatDate(value, timeZone) : '')
  const agreed = (kind: string) =>
    view.reviewers
      .filter((one) => one.kind === kind && one.decision === 'approved')
      .map(({ user, dateDecision }) => [user.fio, day(dateDecision)].filter(Boolean).join(', '))
      .join('\n')
  const facts: Fact[] = [
    ['Классификация', view.type],
    ['Версия', String(view.version)],
    ['Статус', regulationStatuses[view.status]],
    ['Ответственный', [view.responsibleUser?.fio, view.role].filter(Boolean).join(', ')],
    ['Проверили', agreed('reviewer')],
    ['Утвердили', agreed('approver')],
    ['Утверждён', day(view.dateApproved)],
    ['Действует с', day(view.dateActive)],
    ['Вступает в силу', view.dateActive ? '' : day(view.dateEffective)],
    ['Пересмотреть до', day(view.dateReview)],
    ['Всего времени', timeOf(view.timeEstimate)],
  ]
  return facts.filter(([, value]) => value)
}

function stepFacts(stage: Stage): Fact[] {
  const facts: Fact[] = [
    ['Важность', stage.importance === 'normal' ? '' : stepImportances[stage.importance]],
    ['Статус', stage.status === 'active' ? '' : stepStatuses[stage.status]],
    ['Тип', stage.type === 'internal' ? '' : stepTypes[stage.type]],
    ['Время', timeOf(stage.timeEstimate)],
    ['Выполняет', stage.responsible ?? ''],
    ['Ответственные', stage.users.map(({ shortFio }) => shortFio).join(', ')],
    ['Документы', stage.documents.map(({ name }) => name).join(', ')],
    ['Скрипты', stage.scriptNames.map(({ name }) => name).join(', ')],
  ]
  return facts.filter(([, value]) => value)
}

const timeOf = (minutes: number): string => (minutes ? formatSpan(minutes * 60) : '')

type FileRow = Row<typeof RegulationFile>

async function filesOf(records: Records, { stages }: RegulationView): Promise<Map<number, FileRow>> {
  const ids = stages.flatMap(({ images }) => images.map(({ idFile }) => idFile)).slice(0, MAX_PICTURES)
  const rows = ids.length ? await records.rows(RegulationFile, { 'filter[id]': ids.join(), limit: 500 }) : []
  return new Map(rows.map((row) => [row.id, row]))
}

/** An unreadable picture is replaced by its caption. */
async function pictureOf(app: AppContext, file: FileRow | undefined, caption: string): Promise<Picture> {
  const none = { width: 0, height: 0, caption: caption || (file?.name ?? '') }
  if (!file) return none
  const { key, meta } = file as FileRow & { key: string }
  const size = (['medium', 'large'] as const).find((one) => meta.previews?.includes(one))
  try {
    const stored = await buffer(await app.files.get(size ? previewKey(key, size) : key))
    const [drawn] = await app.pictures.draw(stored, {
      failOn: 'warning',
      resize: { width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true },
      copies: [{ format: 'jpeg', quality: QUALITY }],
    })
    return { ...none, ...drawn }
  } catch (error) {
    app.log.warn({ err: error, idFile: file.id }, 'picture of a regulation cannot be put on paper')
    return none
  }
}

/** People who must read the version; for one not in force yet, its future readers. */
async function sheetOf(records: Records, view: RegulationView): Promise<{ name: string; date: string }[]> {
  const reads = await records.rows(RegulationRead, {
    'filter[idRegulation]': view.id,
    expand: 'user',
    limit: MAX_READERS,
  })
  const named = view.dateActive
    ? (reads as unknown as { dateRead: string | null; user: { fio: string } }[]).map(({ user, dateRead }) => ({
        name: user.fio,
        date: dateRead ? formatDate(dateRead, records.actor.timeZone) : '',
      }))
    : view.audience.flatMap(({ user }) => (user ? [{ name: user.fio, date: '' }] : []))
  named.sort((a, b) => a.name.localeCompare(b.name, 'ru'))
  return [...named, ...Array.from({ length: EMPTY_LINES }, () => ({ name: '', date: '' }))]
}
