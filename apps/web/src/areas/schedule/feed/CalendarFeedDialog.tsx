import { IconCalendarShare, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CopyField } from '#kit/CopyField.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { notifyTitledFailure } from '#records/notifyFailure.ts'
import { retries } from '#records/reads.ts'

const key = ['calendar-feed']

/** Calendar feed of the own schedule: a secret URL, shown once. */
export function CalendarFeedDialog({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient()
  const state = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api('GET /calendar-feed', {}, { signal, forbidden: 'silent' }),
    retry: retries,
  })
  const make = useMutation({
    mutationFn: () => api('POST /calendar-feed', {}, { forbidden: 'toast' }),
    onError: (error) => notifyTitledFailure('Адрес не выдан', error),
    onSuccess: () => cache.invalidateQueries({ queryKey: key }),
  })
  const drop = useMutation({
    mutationFn: () => api('DELETE /calendar-feed', {}, { forbidden: 'toast' }),
    onError: (error) => notifyTitledFailure('Адрес не отключён', error),
    onSuccess: () => {
      make.reset()
      notify.success('Расписание по этому адресу больше не отдаётся', { title: 'Адрес отключён' })
      return cache.invalidateQueries({ queryKey: key })
    },
  })
  const again = async () => {
    const message = 'Прежний адрес перестанет работать: календари, где он подключён, больше не получат расписание.'
    if (await confirm({ title: 'Выдать новый адрес?', message, confirm: 'Выдать новый' })) make.mutate()
  }
  const off = async () => {
    const message = 'Календари, где подключён этот адрес, больше не получат расписание.'
    if (await confirm({ title: 'Отключить адрес?', message, confirm: 'Отключить', danger: true })) drop.mutate()
  }
  const busy = make.isPending || drop.isPending
  const { made = null, read = null, names = false } = state.data ?? {}
  return (
    <Dialog title="Моё расписание в телефоне" size={520} onClose={onClose}>
      {state.isError && !state.data ? (
        <ErrorState title="Не загрузилось" error={state.error} onRetry={() => void state.refetch()} />
      ) : !state.data ? (
        <LinesSkeleton lines={3} />
      ) : (
        <VStack gap={12}>
          <p>
            По секретному адресу календарь телефона или компьютера сам забирает ваши приёмы, смены и отсутствия: месяц
            назад и полгода вперёд.
          </p>
          <Muted>
            {names
              ? 'В приёмах видны фамилии пациентов: так решено в настройках клиники. Никому не показывайте адрес.'
              : 'О пациентах там ничего нет: только «Приём», время, услуга и кабинет.'}
          </Muted>
          {make.data && made !== null && (
            <div role="status">
              <CopyField label="Адрес календаря" value={make.data.url} />
              <Fine>
                Скопируйте сейчас: второй раз адрес не показывается. В телефоне добавьте его как «календарь по
                подписке».
              </Fine>
            </div>
          )}
          {made !== null && (
            <Fine>
              Адрес выдан {formatDateTime(made)}
              {read === null ? ', по нему ещё не приходили' : `, последний раз приходили ${formatDateTime(read)}`}
            </Fine>
          )}
          <HStack justify="end" wrap>
            {made === null ? (
              <ActionButton
                label="Получить адрес"
                icon={IconCalendarShare}
                loading={make.isPending}
                onClick={() => make.mutate()}
              />
            ) : (
              <>
                <ActionButton
                  label="Отключить"
                  variant="subtle"
                  color="red"
                  disabled={busy}
                  onClick={() => void off()}
                />
                <ActionButton
                  label="Новый адрес"
                  icon={IconRefresh}
                  variant="default"
                  loading={make.isPending}
                  disabled={busy}
                  onClick={() => void again()}
                />
              </>
            )}
          </HStack>
        </VStack>
      )}
    </Dialog>
  )
}
