import { Radio, Select } from '@mantine/core'
import {
  type MoveClashes,
  type MoveStrangers,
  type MoveTwins,
  moveClashes,
  moveStrangers,
  moveTwins,
} from '@ordinator/model/areas/moving/move'
import { formatNumber } from '@ordinator/model/format'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { FileColumns, hasRequired, UnusedColumns } from '#kit/FileColumns.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { type FileRow, useAct, useFileRows, useProfiles } from '../movingCalls.ts'
import { DropButton } from './DropButton.tsx'
import type { LoadedFile } from './loadedFile.ts'

interface Matching {
  mapping?: Record<string, number>
  profile?: string
  sheet?: string
  twins?: MoveTwins
  strangers?: MoveStrangers
  clashes?: MoveClashes
}

/** Column of the patient's code: a table that has it, and no column of the file for it, finds patients by signs. */
const PATIENT = 'Код пациента'

/** The columns of the file for each field of its table. */
export function Columns({ file, onClose }: { file: LoadedFile; onClose: () => void }) {
  const head = file.head ?? []
  const sheets = file.reading?.sheets ?? []
  const page = useFileRows(file as FileRow, {}).data?.pages[0]
  const profiles = useProfiles()
  const [mapping, setMapping] = useState<Record<string, number>>(file.mapping ?? {})
  const [isNaming, setNaming] = useState(false)
  const match = useAct((body: Matching) => api('PUT /moving/files/:id/mapping', { params: { id: file.id }, body }))
  const go = useAct(async () => {
    await api('PUT /moving/files/:id/mapping', { params: { id: file.id }, body: { mapping } })
    await api('POST /moving/files/:id/rehearse', { params: { id: file.id } })
  })
  const save = useAct(async (name: string) => {
    await api('PUT /moving/files/:id/mapping', { params: { id: file.id }, body: { mapping } })
    await api('POST /moving/files/:id/profile', { params: { id: file.id }, body: { name } })
  })
  if (!page) return <LinesSkeleton lines={8} />
  const isBySigns = page.columns.some(({ name }) => name === PATIENT) && mapping[PATIENT] === undefined
  const offered = (profiles.data?.items ?? []).filter(({ tables }) => tables.includes(file.table))
  return (
    <VStack gap={16}>
      <HStack gap={12} wrap align="flex-end" justify="space-between">
        {sheets.length > 1 && (
          <Select
            label="Лист книги"
            w={240}
            allowDeselect={false}
            data={sheets.map(({ name, rows }) => ({ value: name, label: `${name} — ${formatNumber(rows)}` }))}
            value={file.reading?.sheet ?? null}
            onChange={(sheet) => sheet && match.mutate({ sheet })}
          />
        )}
        <Select
          label="Профиль колонок"
          placeholder="Подобраны по названиям и содержанию"
          w={340}
          maw="100%"
          data={offered.map(({ key, name, source }) => ({
            value: key,
            label: source ? name : `${name} — не проверено`,
          }))}
          value={null}
          onChange={(key) => key && match.mutate({ profile: key })}
        />
        <ActionButton label="Сохранить профилем…" variant="subtle" size="compact-md" onClick={() => setNaming(true)} />
      </HStack>
      <FileColumns columns={page.columns} head={head} mapping={mapping} onChange={setMapping} />
      {file.table === 'customers' && (
        <Choice
          label="Если пациент похож на карту, которая здесь есть"
          value={file.twins}
          options={moveTwins}
          onChoose={(twins) => match.mutate({ twins, mapping })}
        />
      )}
      {isBySigns && (
        <Choice
          label="Если у пациента из строки нет карты"
          value={file.strangers}
          options={moveStrangers}
          onChoose={(strangers) => match.mutate({ strangers, mapping })}
        />
      )}
      {file.table === 'appointments' && (
        <Choice
          label="Записи с накладкой у врача или кабинета, вне смены или в закрытый день"
          value={file.clashes}
          options={moveClashes}
          onChoose={(clashes) => match.mutate({ clashes, mapping })}
        />
      )}
      <UnusedColumns head={head} mapping={mapping} />
      <HStack justify="flex-end" gap={8} wrap>
        <DropButton file={file} onDropped={onClose} />
        <Again file={file} />
        <ActionButton
          label="Проверить"
          loading={go.isPending}
          disabled={!hasRequired({ columns: page.columns, mapping })}
          onClick={() => go.mutate(undefined)}
        />
      </HStack>
      {isNaming && (
        <WordsDialog
          title="Сохранить профиль колонок"
          label="Название"
          required
          max={120}
          action="Сохранить"
          onClose={() => setNaming(false)}
          run={(name: string) => save.mutateAsync(name)}
        />
      )}
    </VStack>
  )
}

interface ChoiceProps<K extends string> {
  label: string
  value: string
  options: Readonly<Record<K, string>>
  onChoose: (key: K) => void
}

/** One of a few ways for all rows of the file. */
function Choice<K extends string>({ label, value, options, onChoose }: ChoiceProps<K>) {
  return (
    <Radio.Group label={label} value={value} onChange={(key) => onChoose(key as K)}>
      <HStack gap="8px 24px" mt={8} wrap>
        {(Object.keys(options) as K[]).map((one) => (
          <Radio key={one} value={one} label={options[one]} />
        ))}
      </HStack>
    </Radio.Group>
  )
}

function Again({ file }: { file: LoadedFile }) {
  const again = useAct(() => api('PUT /moving/files/:id/mapping', { params: { id: file.id }, body: {} }))
  return (
    <ActionButton
      label="Подобрать колонки заново"
      variant="default"
      loading={again.isPending}
      onClick={() => again.mutate(undefined)}
    />
  )
}
