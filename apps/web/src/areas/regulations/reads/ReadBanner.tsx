import { Alert, Button } from '@mantine/core'
import { IconBook2, IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { formatDate, formatDateTime } from '../../../kit/clock.ts'
import { toastDone, toastFailed } from '../toasts.ts'
import type { ViewPartProps } from '../view/ViewPartProps.ts'
import { useOwnRead, useReadingVerbs } from './calls.ts'
import { isLate } from './late.ts'
import classes from './Reads.module.css'
import { TestDialog } from './TestDialog.tsx'

/** Over the steps: that the user has to read them, and until when. */
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

/** Under the steps: the confirmation, or the test. */
export function ReadConfirm({ view }: ViewPartProps) {
  const read = useOwnRead(view.id)
  const [testing, setTesting] = useState(false)
  if (!read || (view.status !== 'active' && !read.dateRead)) return null
  return (
    <div className={classes.confirm}>
      {read.dateRead ? (
        <span className={classes.confirmed}>
          <IconCheck size={16} aria-hidden /> Вы ознакомились {formatDateTime(read.dateRead)}
          {read.score !== null && `, тест ${read.score} %`}
        </span>
      ) : view.hasTest > 0 ? (
        <>
          <Button onClick={() => setTesting(true)}>Пройти тест</Button>
          {read.attempts > 0 && (
            <span className={classes.dim}>
              Прошлая попытка: {read.score} %, нужно {view.passScore} %
            </span>
          )}
        </>
      ) : (
        <Confirm idRegulation={view.id} />
      )}
      {/* Stays over its own result, when the duty is done. */}
      {testing && <TestDialog view={view} onClose={() => setTesting(false)} />}
    </div>
  )
}

function Confirm({ idRegulation }: { idRegulation: number }) {
  const { confirm } = useReadingVerbs(idRegulation)
  return (
    <Button
      leftSection={<IconCheck size={18} />}
      loading={confirm.isPending}
      onClick={() =>
        confirm.mutate(undefined, {
          onSuccess: () => toastDone('Ознакомление подтверждено'),
          onError: (error) => toastFailed('Ошибка при сохранении', error),
        })
      }
    >
      Ознакомлен
    </Button>
  )
}
