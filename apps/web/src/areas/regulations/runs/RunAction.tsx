import { RegulationRun } from '@ordinator/model/areas/regulations/run'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useSave } from '#records/writes.ts'
import { useRegulationsAddress } from '../address.ts'
import type { ViewPartProps } from '../view/ViewPartProps.ts'
import { useRuns } from './calls.ts'

/** Starts a run of a regulation in force, or resumes the user's own. */
export function RunAction({ view }: ViewPartProps) {
  const { id: me } = useActor()
  const [, setAddress] = useRegulationsAddress()
  const save = useSave(RegulationRun)
  const going = useRuns({ idRegulation: view.id, idUser: me, state: 'going' }, view.status === 'active')
  if (view.status !== 'active') return null
  const own = going.data?.items.find(({ idTask }) => idTask === null)
  const begin = () => save.mutate({ idRegulation: view.id }, { onSuccess: ({ id }) => setAddress({ run: id }) })
  return (
    <ActionButton
      label={own ? 'Продолжить' : 'Выполнить'}
      size="compact-md"
      variant="light"
      icon={IconPlayerPlay}
      loading={save.isPending}
      disabled={going.isPending}
      onClick={() => (own ? setAddress({ run: own.id }) : begin())}
    />
  )
}
