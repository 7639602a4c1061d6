import { RegulationReviewer, type ReviewerKind } from '@ordinator/model/areas/regulations/regulation'
import type { RegulationPerson, RegulationView } from '@ordinator/model/areas/regulations/wire'
import { useBatch } from '#records/writes.ts'
import { readRegulation, useSavedRegulation } from '../calls.ts'
import { UsersField } from './UserFields.tsx'

/** Reviewers and approvers; saved at once, as they are not part of the content. */
export function ReviewersField({ view }: { view: RegulationView }) {
  return (
    <>
      <OfKind view={view} kind="reviewer" label="Проверяют" />
      <OfKind view={view} kind="approver" label="Утверждают" />
    </>
  )
}

function OfKind({ view, kind, label }: { view: RegulationView; kind: ReviewerKind; label: string }) {
  const batch = useBatch(RegulationReviewer)
  const keep = useSavedRegulation()
  const rows = view.reviewers.filter((row) => row.kind === kind)
  const change = async (users: readonly RegulationPerson[]) => {
    const create = users.filter(({ id }) => !rows.some(({ idUser }) => idUser === id))
    const gone = rows.filter(({ idUser }) => !users.some(({ id }) => id === idUser))
    await batch.mutateAsync({
      create: create.map(({ id }) => ({ idRegulation: view.id, idUser: id, kind })),
      delete: gone.map(({ id }) => id),
    })
    keep(await readRegulation(view.id))
  }
  return (
    <UsersField
      label={label}
      description={rows.length ? undefined : 'Сохраняется сразу'}
      disabled={batch.isPending}
      value={rows.map(({ user }) => user)}
      // Errors have a toast; the list is unchanged.
      onChange={(users) => void change(users).catch(() => {})}
    />
  )
}
