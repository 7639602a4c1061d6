import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { useRegulationVerbs } from '../calls.ts'
import { toastDone } from '../toasts.ts'

/** The user's decision during review; approvers follow after all reviewers. */
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
    <HStack align="stretch" wrap mt={12}>
      <ActionButton
        label="Согласовать"
        size="compact-sm"
        color="green"
        icon={IconCheck}
        disabled={waits}
        title={waits ? 'Сначала решают проверяющие' : undefined}
        onClick={() => setAsking('approved')}
      />
      <ActionButton
        label="Отклонить"
        reverse
        size="compact-sm"
        variant="light"
        color="red"
        icon={IconX}
        disabled={waits}
        onClick={() => setAsking('rejected')}
      />
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
    </HStack>
  )
}
