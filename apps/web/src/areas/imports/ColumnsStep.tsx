import { Checkbox, Group, Radio, Select, Stack, Text } from '@mantine/core'
import type { ImportMapping, ImportPreview, TableReading as Reading } from '@ordinator/model/areas/imports/wire'
import { Fragment, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import classes from './ImportDialog.module.css'
import type { ImportDialogProps, Params } from './importCalls.ts'
import { TableReading } from './TableReading.tsx'

interface Props {
  seen: ImportPreview
  params: Params
  options: NonNullable<ImportDialogProps['options']>
  busy: boolean
  onBack: () => void
  /** Rereads with another encoding or header; columns are guessed again. */
  onReread: (reading: Reading, params: Params) => void
  onNext: (mapping: ImportMapping, params: Params) => void
}

/** Mapping of file columns, with samples. */
export function ColumnsStep({ seen, params, options, busy, onBack, onReread, onNext }: Props) {
  const [mapping, setMapping] = useState<ImportMapping>(seen.mapping)
  const [chosen, setChosen] = useState(params)
  const data = seen.head.map(({ name }, at) => ({ value: String(at), label: name || `Колонка ${at + 1}` }))
  const missing = seen.columns.filter((column) => column.required && mapping[column.name] === undefined)
  const taken = new Set(Object.values(mapping))
  const unused = seen.head.flatMap(({ name }, at) => (taken.has(at) ? [] : [name || `Колонка ${at + 1}`]))
  const choose = (name: string, value: string | null) => {
    const { [name]: _, ...rest } = mapping
    setMapping(value === null ? rest : { ...rest, [name]: Number(value) })
  }
  return (
    <Stack gap="md">
      <Text fz={13} c="dimmed">
        Проверьте, из какой колонки файла «{seen.fileName}» взять каждое поле.
      </Text>
      <TableReading seen={seen} busy={busy} onChange={(reading) => onReread(reading, chosen)} />
      {unused.length > 0 && (
        <Text fz={13} role="status">
          Не загрузятся: {unused.map((name) => `«${name}»`).join(', ')}
        </Text>
      )}
      <div className={classes.mapping}>
        {seen.columns.map(({ name, required }) => {
          const at = mapping[name]
          const samples = at === undefined ? '' : (seen.head[at]?.samples.join(' · ') ?? '')
          return (
            <Fragment key={name}>
              <span>
                {name}
                {required && <span className={classes.wrong}> *</span>}
              </span>
              <Select
                aria-label={`Колонка файла для поля «${name}»`}
                placeholder="Не загружать"
                clearable={!required}
                searchable
                size="xs"
                data={data}
                value={at === undefined ? null : String(at)}
                error={required && at === undefined ? 'Выберите колонку' : undefined}
                onChange={(value) => choose(name, value)}
              />
              <span className={classes.samples} title={samples}>
                {samples}
              </span>
            </Fragment>
          )
        })}
      </div>
      {options.map(({ param, label, choices }) =>
        choices ? (
          <Radio.Group
            key={param}
            label={label}
            value={String(chosen[param])}
            onChange={(value) => setChosen({ ...chosen, [param]: value })}
          >
            <HStack gap="8px 24px" mt={8} wrap>
              {Object.entries(choices).map(([value, words]) => (
                <Radio key={value} value={value} label={words} />
              ))}
            </HStack>
          </Radio.Group>
        ) : (
          <Checkbox
            key={param}
            label={label}
            checked={chosen[param] === true}
            onChange={({ currentTarget }) => setChosen({ ...chosen, [param]: currentTarget.checked })}
          />
        ),
      )}
      <Group justify="flex-end" gap="xs">
        <ActionButton label="Другой файл" variant="default" onClick={onBack} />
        <ActionButton
          label="Проверить"
          loading={busy}
          disabled={missing.length > 0}
          onClick={() => onNext(mapping, chosen)}
        />
      </Group>
    </Stack>
  )
}
