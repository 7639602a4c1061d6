import { Button } from '@mantine/core'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useActor } from '../../../base/session.ts'
import { WordsDialog } from '../../../kit/WordsDialog.tsx'
import { useRegulationVerbs } from '../calls.ts'
import { toastDone } from '../toasts.ts'
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
    decide
      .mutateAsync({ decision, comment: comment || undefined })
      .then(() => toastDone(decision === 'approved' ? 'Регламент согласован' : 'Регламент отклонён'))
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
        <WordsDialog
          title={asking === 'approved' ? 'Согласовать регламент' : 'Отклонить регламент'}
          label={asking === 'approved' ? 'Замечание' : 'Причина отклонения'}
          required={asking === 'rejected'}
          action={asking === 'approved' ? 'Согласовать' : 'Отклонить'}
          failed="Ошибка при сохранении"
          danger={asking === 'rejected'}
          run={(comment) => send(asking, comment)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </div>
  )
}
