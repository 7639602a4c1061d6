import { Button, Group, Modal, Stack } from '@mantine/core'
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { useState } from 'react'
import { useReturnFocus } from '../../../kit/useReturnFocus.ts'
import { useSave } from '../../../records/writes.ts'
import { ReadDaysField, ReviewMonthsField } from '../editor/TermFields.tsx'
import { toastDone, toastFailed } from '../toasts.ts'

interface Props {
  view: RegulationView
  onClose: () => void
}

/** How a regulation that is no draft is read and looked through again: what may change without a new version. */
export function TermsDialog({ view, onClose }: Props) {
  useReturnFocus()
  const save = useSave(Regulation, { toast: false, optimistic: false })
  const [readDays, setReadDays] = useState(view.readDays)
  const [reviewMonths, setReviewMonths] = useState(view.reviewMonths)
  const agree = () =>
    save.mutate(
      { id: view.id, readDays, reviewMonths },
      {
        onSuccess: () => {
          toastDone('Регламент успешно обновлен')
          onClose()
        },
        onError: (error) => toastFailed('Ошибка при сохранении', error),
      },
    )
  return (
    <Modal opened onClose={onClose} title="Сроки регламента" size={400} zIndex={300}>
      <Stack gap="md">
        <ReadDaysField
          value={readDays}
          description="Новый срок — тем, кому ознакомление назначат позже"
          onChange={setReadDays}
        />
        <ReviewMonthsField value={reviewMonths} onChange={setReviewMonths} />
      </Stack>
      <Group justify="flex-end" mt="md" gap={8}>
        <Button variant="default" onClick={onClose}>
          Отмена
        </Button>
        <Button loading={save.isPending} onClick={agree}>
          Сохранить
        </Button>
      </Group>
    </Modal>
  )
}
