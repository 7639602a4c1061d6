import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { TaskFromDialog } from '#areas/tasks/index.ts'
import { api } from '#base/api.ts'

interface Props {
  visit: { id: number; customer?: { shortFio: string } | null }
  payer: string
}

/** Asks a colleague, by a task with the text to send, to get a guarantee letter from the payer. */
export function AskLetter({ visit, payer }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)}>
        Попросить письмо
      </Anchor>
      {isOpen && (
        <TaskFromDialog
          title="Задача: гарантийное письмо"
          name={['Гарантийное письмо', visit.customer?.shortFio, payer].filter(Boolean).join(', ').slice(0, 255)}
          note="В задаче будет текст для плательщика: полис, услуги и сумма. Когда письмо придёт, внесите его на счёте клиента: оно найдёт свои услуги."
          make={(body) => api('POST /appointments/:id/letter-task', { params: { id: visit.id }, body })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
