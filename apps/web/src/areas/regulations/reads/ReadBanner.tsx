import { Alert, Button } from '@mantine/core'
import { IconBook2, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDate, formatDateTime } from '#kit/clock.ts'
import { HStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { toastDone, toastFailed } from '../toasts.ts'
import type { ViewPartProps } from '../view/ViewPartProps.ts'
import { useOwnRead, useReadingVerbs } from './calls.ts'
import { isLate } from './late.ts'
import { TestDialog } from './TestDialog.tsx'

/** Banner above the steps: reading is required, with the deadline. */
export function ReadBanner({ view }: ViewPartProps) {
  const read = useOwnRead(view.id)
  if (!read || read.dateRead || view.status !== 'active') return null
  const late = isLate(read.dateDue)
  return (
    <Alert
      color={late ? 'red' : 'yellow'}
      variant="light"
      mb="md"
      icon={<IconBook2 size={18} />}
      title={
        late
          ? `Вы не ознакомились в срок: до ${formatDate(read.dateDue)}`
          : `Ознакомьтесь до ${formatDate(read.dateDue)}`
      }
    >
      {view.hasTest > 0 ? 'Прочитайте шаги и пройдите тест в конце.' : 'Прочитайте шаги и подтвердите в конце.'}
    </Alert>
  )
}

/** Below the steps: confirmation of reading, or the test. */
export function ReadConfirm({ view }: ViewPartProps) {
  const read = useOwnRead(view.id)
  const [testing, setTesting] = useState(false)
  if (!read || (view.status !== 'active' && !read.dateRead)) return null
  return (
    <HStack gap={12} wrap pt={16}>
      {read.dateRead ? (
        <HStack component="span" c="dimmed">
          <IconCheck size={16} aria-hidden /> Вы ознакомились {formatDateTime(read.dateRead)}
          {read.score !== null && `, тест ${read.score} %`}
        </HStack>
      ) : view.hasTest > 0 ? (
        <>
          <Button onClick={() => setTesting(true)}>Пройти тест</Button>
          {read.attempts > 0 && (
            <Muted>
              Прошлая попытка: {read.score} %, нужно {view.passScore} %
            </Muted>
          )}
        </>
      ) : (
        <Confirm idRegulation={view.id} />
      )}
      {/* Stays open to show its result after completion. */}
      {testing && <TestDialog view={view} onClose={() => setTesting(false)} />}
    </HStack>
  )
}

function Confirm({ idRegulation }: { idRegulation: number }) {
  const { confirm } = useReadingVerbs(idRegulation)
  return (
    <ActionButton
      label="Ознакомлен"
      icon={IconCheck}
      loading={confirm.isPending}
      onClick={() =>
        confirm.mutate(undefined, {
          onSuccess: () => toastDone('Ознакомление подтверждено'),
          onError: (error) => toastFailed('Ошибка при сохранении', error),
        })
      }
    />
  )
}
