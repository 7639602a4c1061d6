import { TextInput } from '@mantine/core'
import { Service } from '@ordinator/model/areas/catalogue/service'
import { counted } from '@ordinator/model/format'
import { IconWand } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useSave } from '#records/writes.ts'
import classes from './PublicNamesDialog.module.css'

type Named = Answer<'GET /services/public-names'>['items'][number]

const key = ['records', Service.path, 'public-names']

/** What patients see instead of the official names: every service of the site on a line, saved as it is left. */
export function PublicNamesDialog({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient()
  const [words, setWords] = useState('')
  const found = useQuery({ queryKey: key, queryFn: ({ signal }) => api('GET /services/public-names', {}, { signal }) })
  const fill = useMutation({
    mutationFn: () => api('POST /services/public-names', {}),
    onError: notifyFailure,
    onSettled: () => invalidateRecords(cache, Service.path).then(() => cache.invalidateQueries({ queryKey: key })),
  })
  const items = found.data?.items ?? []
  const fillable = items.filter(({ publicName, offered }) => publicName === null && offered !== null).length
  const sought = words.trim().toLocaleLowerCase('ru')
  const shown = items.filter(({ name, publicName }) =>
    `${name} ${publicName ?? ''}`.toLocaleLowerCase('ru').includes(sought),
  )
  return (
    <Dialog title="Названия для пациентов" onClose={onClose} size="xl">
      {found.isError && !found.data ? (
        <ErrorState title="Список не получен" error={found.error} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <LinesSkeleton lines={8} />
      ) : items.length === 0 ? (
        <EmptyState
          title="Пациенты пока не видят услуг"
          text="Отметьте у услуги «Видна на сайте»: она появится здесь, на сайте и в личном кабинете."
        />
      ) : (
        <VStack gap={12}>
          <Muted>
            Так услугу видят на сайте, в личном кабинете, в сообщениях и на площадках записи. В договорах и чеках
            остаётся официальное название
          </Muted>
          <HStack gap={8} wrap>
            <SearchField aria-label="Найти услугу" placeholder="Найти услугу" value={words} onChange={setWords} />
            <ActionButton
              label={fillable > 0 ? `Заполнить из словаря: ${fillable}` : 'Словарю нечего предложить'}
              icon={IconWand}
              variant="default"
              disabled={fillable === 0}
              loading={fill.isPending}
              onClick={() => fill.mutate()}
            />
          </HStack>
          {fill.data && (
            <Fine>
              Заполнено: {counted(fill.data.filled, ['название', 'названия', 'названий'])}. Их можно поправить
            </Fine>
          )}
          <ul className={classes.lines}>
            {shown.map((one) => (
              <Line key={`${one.id} ${one.publicName}`} one={one} />
            ))}
          </ul>
          {shown.length === 0 && <Muted>Таких услуг нет</Muted>}
        </VStack>
      )}
    </Dialog>
  )
}

function Line({ one: { id, name, group, publicName, offered } }: { one: Named }) {
  const save = useSave(Service)
  const [written, setWritten] = useState(publicName ?? '')
  const finish = () => {
    const next = written.trim()
    if (next !== (publicName ?? '')) save.mutate({ id, publicName: next || null })
  }
  return (
    <li className={classes.line}>
      <div>
        <div>{name}</div>
        {group && <Fine>{group}</Fine>}
      </div>
      <TextInput
        aria-label={`Название для пациентов: ${name}`}
        placeholder={offered ?? name}
        maxLength={200}
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
        onBlur={finish}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </li>
  )
}
