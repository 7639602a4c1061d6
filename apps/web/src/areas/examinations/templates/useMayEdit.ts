import { ExaminationTemplate } from '@ordinator/model/areas/examinations/template'
import type { Row } from '@ordinator/model/entity'
import { useActor } from '#base/session.ts'
import { useCan } from '#records/Can.tsx'

/** True when the user may edit this template. */
export function useMayEdit({ idUser }: Pick<Row<typeof ExaminationTemplate>, 'idUser'>): boolean {
  const actor = useActor()
  const mayEdit = useCan('update', ExaminationTemplate)
  return mayEdit && (idUser === actor.id || actor.permissions.viewForeignExaminationTemplates === true)
}
