import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import type { Row } from '@ordinator/model/entity'
import { notify } from '#areas/notifications/index.ts'
import type { WriteContext } from '#records/define.ts'

export interface RegulationNotice {
  /** Second part of the kind: `review`, `decided`. */
  event: string
  title: string
  /** Shown beside the name of the regulation. */
  text?: string | undefined
  /** Absent: the author and the responsible user. */
  to?: readonly number[]
}

/** Notifies people about a regulation, with a link to it. */
export async function notifyOfRegulation(
  context: Pick<WriteContext, 'actor' | 'tx' | 'records'>,
  { id, name, idUser, idResponsibleUser }: Pick<Row<typeof Regulation>, 'id' | 'name' | 'idUser' | 'idResponsibleUser'>,
  { event, title, text, to }: RegulationNotice,
): Promise<void> {
  const keepers = [idUser, idResponsibleUser].filter((one) => one !== null)
  await notify(context, to ?? keepers, {
    kind: `regulation.${event}`,
    title,
    text: (text ? `${name}: ${text}` : name).slice(0, 1000),
    path: Regulation.path,
    idEntity: id,
    link: `/regulations?id=${id}`,
  })
}
