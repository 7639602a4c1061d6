import { Button } from '@mantine/core'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useActor } from '../../../base/session.ts'
import { useRegulationVerbs } from '../calls.ts'
import { toastDone, toastFailed } from '../toasts.ts'
import { ReasonDialog } from './ReasonDialog.tsx'
import classes from './ViewerSide.module.css'

/** The user's own verdict while the regulation is being checked; approvers come after all reviewers. */
export function Decide({ view }: { view: RegulationView }) {
  const { id: me } = useActor()
  const { decide } = useRegulationVerbs(view.id)
  const [asking, setAsking] = useState<'approved' | 'rejected'>()
  const own = view.reviewers.filter(({ idUser, decision }) => idUser === me && decision === 'none')
  if (view.status !== 'review' || own.length === 0) return null
  const waits =
    own.every(({ kind }) => kind === 'approver') &&
    view.reviewers.some(({ kind, decision }) => kind === 'reviewer' && decision !== 'approved')
  const send = (decision: 'approved' | 'rejected', comment: string) =>
    decide.mutateAsync({ decision, comment: comment || undefined }).then(
      () => {
        toastDone(decision === 'approved' ? 'Регламент согласован' : 'Регламент отклонён')
        setAsking(undefined)
      },
      (error: unknown) => toastFailed('Ошибка при сохранении', error),
    )
  return (
    <div className={classes.verdicts}>
      <Button
        size="compact-sm"
        color="green"
        leftSection={<IconCheck size={16} />}
        disabled={waits}
        title={waits ? 'Сначала решают проверяющие' : undefined}
        onClick={() => setAsking('approved')}
      >
        Согласовать
      </Button>
      <Button
        size="compact-sm"
        variant="light"
        color="red"
        leftSection={<IconX size={16} />}
        disabled={waits}
        onClick={() => setAsking('rejected')}
      >
        Отклонить
      </Button>
      {asking && (
        <ReasonDialog
          title={asking === 'approved' ? 'Согласовать регламент' : 'Отклонить регламент'}
          label={asking === 'approved' ? 'Замечание' : 'Причина отклонения'}
          required={asking === 'rejected'}
          confirm={asking === 'approved' ? 'Согласовать' : 'Отклонить'}
          danger={asking === 'rejected'}
          busy={decide.isPending}
          onConfirm={(comment) => void send(asking, comment)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </div>
  )
}
