import { Alert, Badge, Progress } from '@mantine/core'
import { dictionaryStates, NsiDictionary } from '@ordinator/model/areas/egisz/setUp'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { IconDownload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { BulkAction } from '#records/table/BulkBar.tsx'

type Dictionary = Row<typeof NsiDictionary>
const colors: Record<keyof typeof dictionaryStates, string> = {
  none: 'gray',
  loading: 'blue',
  loaded: 'teal',
  failed: 'red',
}

function useLoad() {
  const cache = useQueryClient()
  return async (ids: readonly number[]) => {
    try {
      for (const id of ids) await api('POST /egisz/dictionaries/:id/load', { params: { id } })
      notify.success('Загружаем: прежняя версия действует, пока новая не придёт вся')
      await invalidateRecords(cache, NsiDictionary.path)
      return true
    } catch (error) {
      notifyFailure(error as Error)
      return false
    }
  }
}

function Loaded({ dictionary }: { dictionary: Dictionary }) {
  const load = useLoad()
  const [q, setQ] = useState('')
  const { id, state, progress, rows, error, version, datePublished } = dictionary
  const { data } = useQuery({
    queryKey: ['egisz', 'terms', id, version, q],
    queryFn: ({ signal }) =>
      api('GET /egisz/dictionaries/:id/terms', { params: { id }, query: { q } }, { signal, quiet: true }),
    enabled: version !== null,
  })
  return (
    <VStack gap={12}>
      <HStack wrap>
        <ActionButton
          label="Загрузить последнюю версию"
          icon={IconDownload}
          loading={state === 'loading'}
          onClick={() => void load([id])}
        />
        {version && (
          <Fine>
            Версия {version}
            {datePublished && ` от ${datePublished}`}, строк {rows.toLocaleString('ru')}
          </Fine>
        )}
      </HStack>
      {state === 'loading' && (
        <VStack gap={4}>
          <Progress value={100} animated />
          <Fine>Загружено строк: {progress.toLocaleString('ru')}</Fine>
        </VStack>
      )}
      {error && (
        <Alert color="red" variant="light" title="Не загрузился">
          {error}
        </Alert>
      )}
      {version === null ? (
        <Muted>По незагруженному справочнику коды документов не проверяются.</Muted>
      ) : (
        <>
          <SearchField value={q} onChange={setQ} aria-label="Найти код или название" placeholder="Код или название" />
          {data?.items.map(({ code, name }) => (
            <HStack key={code} gap={12} align="flex-start">
              <Muted className="tabular" miw={64}>
                {code}
              </Muted>
              <span>{name}</span>
            </HStack>
          ))}
          {data?.items.length === 0 && <Muted>Ничего не нашлось</Muted>}
        </>
      )}
    </VStack>
  )
}

/** Справочники НСИ: versions in use, and updates. */
export default function DictionariesPage() {
  const load = useLoad()
  const actions: BulkAction<Dictionary>[] = [
    {
      key: 'load',
      label: 'Загрузить последнюю версию',
      icon: IconDownload,
      run: (rows) => load(rows.map(({ id }) => id)),
    },
  ]
  return (
    <RegistryPage
      page={pageByKey('egiszDictionaries')}
      entity={NsiDictionary}
      actions={actions}
      columns={[
        { key: 'name', width: 300 },
        { key: 'oid', width: 220 },
        { key: 'version', width: 100 },
        { key: 'rows', width: 110, cell: ({ rows }) => rows || null },
        {
          key: 'state',
          width: 150,
          cell: ({ state }) => (
            <Badge color={colors[state]} variant="light" tt="none" fw={500}>
              {dictionaryStates[state]}
            </Badge>
          ),
        },
        { key: 'datePublished', width: 150 },
        { key: 'dateLoaded', width: 150 },
      ]}
      tabs={{
        terms: { label: 'Содержание', panel: (dictionary) => <Loaded key={dictionary.id} dictionary={dictionary} /> },
      }}
      isMuted={({ active }) => !active}
      wide
    />
  )
}
