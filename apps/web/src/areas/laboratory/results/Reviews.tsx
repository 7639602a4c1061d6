import { Radio, Textarea } from '@mantine/core'
import { reviewReasons } from '@ordinator/model/areas/laboratory/states'
import { valueWords } from '@ordinator/model/areas/laboratory/values'
import { messages } from '@ordinator/model/messages'
import { IconEye } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import listClasses from '../CriticalAlert.module.css'
import { type Reviewed, readLaboratory, useReviews } from '../reads.ts'
import { FlagMark } from '../words.tsx'

/** Shown while published values wait to be looked at again. */
export function ReviewsButton() {
  const [open, setOpen] = useState(false)
  const count = useReviews().data?.items.length ?? 0
  if (count === 0 && !open) return null
  return (
    <>
      <ActionButton label={`Пересмотреть (${count})`} variant="default" icon={IconEye} onClick={() => setOpen(true)} />
      {open && <ReviewsDialog onClose={() => setOpen(false)} />}
    </>
  )
}

/** Published values with what would change in them. */
export function ReviewsDialog({ onClose }: { onClose: () => void }) {
  const answer = useReviews()
  const [asked, setAsked] = useState<Reviewed>()
  const { data } = answer
  return (
    <Dialog title="Пересмотреть опубликованное" size="lg" onClose={onClose}>
      {answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !data ? (
        <LinesSkeleton lines={3} />
      ) : data.items.length === 0 ? (
        <EmptyState
          title="Всё пересмотрено"
          text="Здесь появятся значения, у которых изменились норма, источник или проба."
        />
      ) : (
        <ul className={listClasses.criticals}>
          {data.items.map((one) => (
            <li key={one.id}>
              <div>
                <b>{one.patient}</b>{' '}
                <PageLink page="labOrder" params={{ id: one.idOrder }} onClick={onClose}>
                  {one.number}
                </PageLink>
                <div>{one.analyte}</div>
                <Before value={one} />
                <After value={one} />
                <Fine component="div">{reviewReasons[one.why]}</Fine>
              </div>
              <ActionButton label="Решить" icon={IconEye} onClick={() => setAsked(one)} />
            </li>
          ))}
        </ul>
      )}
      {asked && <ReviewDialog value={asked} onClose={() => setAsked(undefined)} />}
    </Dialog>
  )
}

const Before = ({ value: { value, unit, flag, normText } }: { value: Reviewed }) => (
  <div>
    было: <b>{[valueWords(value), unit].filter(Boolean).join(' ')}</b> <FlagMark flag={flag} />
    {normText && <Fine> норма {normText}</Fine>}
  </div>
)

const After = ({ value: { why, newValue, unit, newFlag, newNorm } }: { value: Reviewed }) => (
  <div>
    станет: <b>{[valueWords(newValue), unit].filter(Boolean).join(' ')}</b> <FlagMark flag={newFlag} />
    {newNorm ? <Fine> норма {newNorm}</Fine> : why === 'card' && <Fine> нормы для такой карты нет</Fine>}
  </div>
)

function ReviewDialog({ value, onClose }: { value: Reviewed; onClose: () => void }) {
  const cache = useQueryClient()
  return (
    <FormDialog
      title={`Пересмотр: ${value.analyte}`}
      action={({ decision }) => (decision === 'accept' ? 'Исправить' : 'Оставить')}
      draft={{ decision: 'accept' as 'accept' | 'leave', reason: reviewReasons[value.why] as string }}
      required={{ reason: messages.required }}
      onClose={onClose}
      send={async ({ decision, reason }) => {
        const accept = decision === 'accept'
        await api(
          'POST /laboratory/results/:id/review',
          { params: { id: value.id }, body: { accept, reason } },
          { forbidden: 'toast' },
        )
        await readLaboratory(cache)
        notify.success(accept ? 'Значение исправлено, прежнее сохранено' : 'Значение оставлено')
      }}
    >
      {({ choice, text }) => (
        <VStack gap={12}>
          <Before value={value} />
          <After value={value} />
          <Radio.Group aria-label="Решение" {...choice('decision')}>
            <HStack wrap gap={16}>
              <Radio value="accept" label="Исправить: останутся оба значения" />
              <Radio value="leave" label="Оставить как есть" />
            </HStack>
          </Radio.Group>
          <Textarea label="Причина" autosize minRows={2} maxLength={500} {...text('reason')} />
        </VStack>
      )}
    </FormDialog>
  )
}
