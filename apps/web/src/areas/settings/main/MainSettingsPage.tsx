import { Alert, Box, Checkbox, Group, Input, Select, Switch, TextInput } from '@mantine/core'
import {
  type CommonSettingName,
  type CommonSettings,
  commonSettings,
} from '@ordinator/model/areas/settings/commonSettings'
import { parseTime } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { type Module, moduleLabels, type Tariff, tariffLabels } from '@ordinator/model/tariff'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { api } from '../../../base/api.ts'
import { ApiError } from '../../../base/apiError.ts'
import { session } from '../../../base/session.ts'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { notify } from '../../../kit/notify.tsx'
import { PageHead } from '../../../kit/PageHead.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { Block, Tiles, VStack } from '../../../kit/Stacks.tsx'
import { useUnsavedGuard } from '../../../kit/useUnsavedGuard.ts'
import classes from './MainSettings.module.css'

const queryKey = ['commonSettings']

/** Основные: the clinic's own settings. */
export default function MainSettingsPage() {
  const page = pageByKey('mainSettings')
  const found = useQuery({
    queryKey,
    queryFn: ({ signal }) => api('GET /settings/common', {}, { signal, forbidden: 'silent' }),
  })
  return (
    <>
      <PageHead title={page.title} help={page.help} />
      <Box px="var(--ord-page)" pt={8} pb={32} maw={768}>
        {found.isPending && <LinesSkeleton lines={8} />}
        {found.isError && (
          <ErrorState title="Настройки не загрузились" error={found.error} onRetry={() => void found.refetch()} />
        )}
        {found.data && <SettingsForm saved={found.data} />}
      </Box>
    </>
  )
}

type TextName = {
  [N in CommonSettingName]: CommonSettings[N] extends string ? (string extends CommonSettings[N] ? N : never) : never
}[CommonSettingName]

function SettingsForm({ saved }: { saved: CommonSettings }) {
  const cache = useQueryClient()
  /** What differs from the saved; sent alone, so that two who save at once keep each other's. */
  const [changes, setChanges] = useState<Partial<CommonSettings>>({})
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const value = { ...saved, ...changes }
  const dirty = Object.keys(changes).length > 0
  const save = useMutation({
    mutationFn: () => api('PUT /settings/common', { body: changes }, { forbidden: 'toast' }),
    onSuccess: (after) => {
      cache.setQueryData(queryKey, after)
      setChanges({})
      notify.success('Настройки сохранены')
      void session.reload()
    },
    onError: (error) => setWrong(error instanceof ApiError ? error.byField : {}),
  })
  useUnsavedGuard(dirty && !save.isPending)
  const change = (patch: Partial<CommonSettings>) => {
    const next = Object.entries({ ...changes, ...patch }).filter(
      ([name, now]) => JSON.stringify(now) !== JSON.stringify(saved[name as CommonSettingName]),
    )
    setChanges(Object.fromEntries(next))
    setWrong({})
    save.reset()
  }
  const line = (name: TextName) => (
    <TextInput
      label={label(name)}
      description={help(name)}
      value={value[name]}
      error={wrong[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  )
  const hour = (side: 'start' | 'end') => {
    const put = (time: string) => change({ messageHours: { ...value.messageHours, [side]: time } })
    return (
      <TextInput
        aria-label={side === 'start' ? 'Писать пациентам с' : 'Писать пациентам до'}
        placeholder="ЧЧ:ММ"
        value={value.messageHours[side]}
        error={wrong[`messageHours.${side}`]}
        onChange={(event) => put(event.currentTarget.value)}
        // «9» and «930» are times too.
        onBlur={() => {
          const time = parseTime(value.messageHours[side])
          if (time && time !== value.messageHours[side]) put(time)
        }}
      />
    )
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (dirty) save.mutate()
  }
  const fault = save.error instanceof ApiError && save.error.fields ? undefined : save.error?.message
  return (
    <VStack component="form" gap={16} onSubmit={onSubmit} noValidate aria-label="Основные настройки">
      <Part title="Клиника">
        {line('clinicName')}
        {line('productName')}
        <Select
          label={label('timeZone')}
          searchable
          allowDeselect={false}
          data={zonesWith(value.timeZone)}
          nothingFoundMessage="Совпадений не найдено"
          value={value.timeZone}
          error={wrong.timeZone}
          onChange={(timeZone) => timeZone && change({ timeZone })}
        />
        <Input.Wrapper label={label('messageHours')} labelElement="div">
          <div className={classes.hours}>
            {hour('start')}
            <span aria-hidden>—</span>
            {hour('end')}
          </div>
        </Input.Wrapper>
      </Part>
      <Part title="Регламенты">
        <Switch
          className={classes.wide}
          label={label('regulationsOwnApproval')}
          description={help('regulationsOwnApproval')}
          checked={value.regulationsOwnApproval}
          error={wrong.regulationsOwnApproval}
          onChange={(event) => change({ regulationsOwnApproval: event.currentTarget.checked })}
        />
      </Part>
      <Part title="Прежняя CRM">
        <div className={classes.wide}>{line('oldCrmUrl')}</div>
        {line('cookieNameCurrent')}
        {line('cookieNameOther')}
        {line('cookieNameLogout')}
      </Part>
      <Part title="Тариф и модули">
        <Select
          label={label('tariff')}
          allowDeselect={false}
          data={Object.entries(tariffLabels).map(([key, text]) => ({ value: key, label: text }))}
          value={value.tariff}
          error={wrong.tariff}
          onChange={(tariff) => tariff && change({ tariff: tariff as Tariff })}
        />
        <Checkbox.Group
          className={classes.wide}
          label={label('additionalServices')}
          value={value.additionalServices}
          error={wrong.additionalServices}
          onChange={(chosen) => change({ additionalServices: inOrder(chosen as Module[]) })}
        >
          <Tiles tile={220} fit gap="8px 16px" mt={8}>
            {Object.entries(moduleLabels).map(([name, text]) => (
              <Checkbox key={name} size="sm" value={name} label={text} />
            ))}
          </Tiles>
        </Checkbox.Group>
      </Part>
      <Part title="Связь с сервером">
        <Switch
          className={classes.wide}
          label={label('websocket')}
          description="Выключено — страницы обновляются, когда их открывают"
          checked={value.websocket.active}
          onChange={(event) => change({ websocket: { active: event.currentTarget.checked } })}
        />
      </Part>
      {fault && (
        <Alert color="red" role="alert">
          {fault}
        </Alert>
      )}
      <Group gap={8} className={classes.foot}>
        <ActionButton label="Сохранить" type="submit" loading={save.isPending} disabled={!dirty} />
        {dirty && <ActionButton label="Отменить изменения" variant="default" onClick={() => change(saved)} />}
      </Group>
    </VStack>
  )
}

const label = (name: CommonSettingName) => commonSettings[name].label
const help = (name: CommonSettingName) => (commonSettings[name] as { help?: string }).help

/** All that the browser knows, and the present one in any case. */
const zonesWith = (present: string): string[] => [...new Set([present, ...Intl.supportedValuesOf('timeZone')])].sort()

/** As the list has them, so that a module taken out and put back is no change. */
const inOrder = (chosen: readonly Module[]): Module[] =>
  (Object.keys(moduleLabels) as Module[]).filter((name) => chosen.includes(name))

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Block component="fieldset" framed p={16}>
      <legend className={classes.title}>{title}</legend>
      <div className={classes.fields}>{children}</div>
    </Block>
  )
}
