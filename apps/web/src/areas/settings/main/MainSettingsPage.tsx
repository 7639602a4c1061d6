import { Alert, Box, Checkbox, Input, MultiSelect, Select, Switch, TextInput } from '@mantine/core'
import { type MessageWay, messageWays } from '@ordinator/model/areas/messages/events'
import {
  type CommonSettingName,
  type CommonSettings,
  commonSettings,
} from '@ordinator/model/areas/settings/commonSettings'
import { type Page, pageByKey, pages } from '@ordinator/model/pages'
import {
  gateOf,
  type Module,
  moduleLabels,
  type Tariff,
  tariffIncludes,
  tariffLabels,
  tariffs,
} from '@ordinator/model/tariff'
import { waitingModules, waitingSettings, waitsFor } from '@ordinator/model/waiting'
import { IconCheck, IconLock } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../../base/api.ts'
import { ApiError } from '../../../base/apiError.ts'
import { session } from '../../../base/session.ts'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { FormPart } from '../../../kit/FormPart.tsx'
import { NumberField } from '../../../kit/NumberField.tsx'
import { notify } from '../../../kit/notify.tsx'
import { PageHead } from '../../../kit/PageHead.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { HStack, Tiles, VStack } from '../../../kit/Stacks.tsx'
import { StickyFoot } from '../../../kit/StickyFoot.tsx'
import { TimeField } from '../../../kit/TimeField.tsx'
import { TimeZoneSelect } from '../../../kit/TimeZoneSelect.tsx'
import { useUnsavedGuard } from '../../../kit/useUnsavedGuard.ts'
import { RetentionCount } from '../../centre/index.ts'
import { MissingOnSite } from '../../site/index.ts'
import classes from './MainSettings.module.css'

const queryKey = ['commonSettings']

/** Основные: the clinic's own settings. */
export default function MainSettingsPage() {
  const page = pageByKey('mainSettings')
  const found = useQuery({
    queryKey,
    queryFn: ({ signal }) => api('GET /settings/common', {}, { signal }),
  })
  return (
    <>
      <PageHead title={page.title} help={page.help} />
      <Box px="var(--ord-page)" pt={8} pb={32} maw={768}>
        {found.isPending && <LinesSkeleton lines={8} />}
        {found.isError && (
          <ErrorState title="Настройки не загрузились" error={found.error} onRetry={() => void found.refetch()} />
        )}
        <MissingOnSite />
        {found.data && <SettingsForm saved={found.data} />}
      </Box>
    </>
  )
}

type TextName = {
  [N in CommonSettingName]: CommonSettings[N] extends string ? (string extends CommonSettings[N] ? N : never) : never
}[CommonSettingName]

type WholeName = {
  [N in CommonSettingName]: CommonSettings[N] extends number ? N : never
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
  const whole = (name: WholeName) => (
    <NumberField
      label={label(name)}
      description={help(name)}
      value={value[name]}
      error={wrong[name]}
      // What is no number is refused by the server, in words.
      onChange={(given) => change({ [name]: given })}
    />
  )
  const hour = (side: 'start' | 'end') => (
    <TimeField
      aria-label={side === 'start' ? 'Писать пациентам с' : 'Писать пациентам до'}
      value={value.messageHours[side]}
      error={wrong[`messageHours.${side}`]}
      onChange={(time) => change({ messageHours: { ...value.messageHours, [side]: time } })}
    />
  )
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (dirty) save.mutate()
  }
  const fault = save.error instanceof ApiError && save.error.fields ? undefined : save.error?.message
  return (
    <VStack component="form" gap={16} onSubmit={onSubmit} noValidate aria-label="Основные настройки">
      <FormPart title="Клиника">
        {line('clinicName')}
        {line('productName')}
        <TimeZoneSelect
          label={label('timeZone')}
          value={value.timeZone}
          error={wrong.timeZone}
          onChange={(timeZone) => timeZone && change({ timeZone })}
        />
        <Input.Wrapper label={label('messageHours')} description={help('messageHours')} labelElement="div">
          <div className={classes.hours}>
            {hour('start')}
            <span aria-hidden>—</span>
            {hour('end')}
          </div>
        </Input.Wrapper>
      </FormPart>
      <FormPart title="Сообщения пациентам">
        <MultiSelect
          label={label('reminderChannels')}
          description={help('reminderChannels')}
          data={Object.entries(messageWays).map(([one, words]) => ({ value: one, label: words }))}
          value={value.reminderChannels}
          error={wrong.reminderChannels}
          clearable
          onChange={(chosen) => change({ reminderChannels: chosen as MessageWay[] })}
        />
        {whole('smsPrice')}
        {line('messageLink')}
      </FormPart>
      <FormPart title="Записи">
        {whole('noShowCall')}
        {whole('noShowPrepay')}
        {whole('planOverdueDays')}
        <Switch
          wrapperProps={{ 'data-wide': true }}
          label={label('calendarNames')}
          description={help('calendarNames')}
          checked={value.calendarNames}
          error={wrong.calendarNames}
          onChange={(event) => change({ calendarNames: event.currentTarget.checked })}
        />
      </FormPart>
      <FormPart title="Регламенты">
        <Switch
          wrapperProps={{ 'data-wide': true }}
          label={label('regulationsOwnApproval')}
          description={help('regulationsOwnApproval')}
          checked={value.regulationsOwnApproval}
          error={wrong.regulationsOwnApproval}
          onChange={(event) => change({ regulationsOwnApproval: event.currentTarget.checked })}
        />
      </FormPart>
      <FormPart title="Чат поддержки">
        <Switch
          wrapperProps={{ 'data-wide': true }}
          label={label('liveAssistAutomatic')}
          description={help('liveAssistAutomatic')}
          checked={value.liveAssistAutomatic}
          error={wrong.liveAssistAutomatic}
          onChange={(event) => change({ liveAssistAutomatic: event.currentTarget.checked })}
        />
        {whole('liveAssistLimit')}
        {whole('liveAssistSilence')}
      </FormPart>
      <FormPart title="Разговоры и обещания">
        <Switch
          wrapperProps={{ 'data-wide': true }}
          label={label('demandOutcome')}
          description={help('demandOutcome')}
          checked={value.demandOutcome}
          error={wrong.demandOutcome}
          onChange={(event) => change({ demandOutcome: event.currentTarget.checked })}
        />
        {whole('promiseAlert')}
        <div data-wide>{line('telephonyPlugin')}</div>
      </FormPart>
      <FormPart title="Сроки хранения">
        {whole('recordingsMonths')}
        {whole('chatsMonths')}
        {whole('exchangeDays')}
        <div data-wide>
          <RetentionCount recordings={value.recordingsMonths} chats={value.chatsMonths} />
        </div>
      </FormPart>
      <FormPart title="Прежняя CRM">
        <div data-wide>{line('oldCrmUrl')}</div>
        {line('cookieNameCurrent')}
        {line('cookieNameOther')}
        {line('cookieNameLogout')}
      </FormPart>
      <FormPart title="Тариф и модули">
        <Select
          label={label('tariff')}
          data={Object.entries(tariffLabels).map(([key, text]) => ({ value: key, label: text }))}
          value={value.tariff}
          error={wrong.tariff}
          onChange={(tariff) => tariff && change({ tariff: tariff as Tariff })}
        />
        <Input.Wrapper label="Что входит в тариф" labelElement="div" className={classes.wide}>
          <VStack component="ul" gap={4} mt={4} aria-label="Что входит в тариф">
            {tariffs.map((tariff) => (
              <Tier key={tariff} tariff={tariff} owned={tariffIncludes(value.tariff, tariff)} />
            ))}
          </VStack>
        </Input.Wrapper>
        <Checkbox.Group
          data-wide
          label={label('additionalServices')}
          value={value.additionalServices}
          error={wrong.additionalServices}
          onChange={(chosen) => change({ additionalServices: inOrder(chosen as Module[]) })}
        >
          <Tiles tile={220} fit gap="8px 16px" mt={8}>
            {Object.entries(moduleLabels).map(([name, text]) => (
              <Checkbox
                key={name}
                size="sm"
                value={name}
                label={text}
                description={waitsFor(waitingModules[name as Module])}
              />
            ))}
          </Tiles>
        </Checkbox.Group>
      </FormPart>
      <FormPart title="Связь с сервером">
        <Switch
          wrapperProps={{ 'data-wide': true }}
          label={label('websocket')}
          description="Выключено — страницы обновляются, когда их открывают"
          checked={value.websocket.active}
          onChange={(event) => change({ websocket: { active: event.currentTarget.checked } })}
        />
      </FormPart>
      {fault && (
        <Alert color="red" role="alert">
          {fault}
        </Alert>
      )}
      <StickyFoot>
        <ActionButton label="Сохранить" type="submit" loading={save.isPending} disabled={!dirty} />
        {dirty && <ActionButton label="Отменить изменения" variant="default" onClick={() => change(saved)} />}
      </StickyFoot>
    </VStack>
  )
}

const label = (name: CommonSettingName) => commonSettings[name].label
const help = (name: CommonSettingName) =>
  waitsFor(waitingSettings[name]) ?? (commonSettings[name] as { help?: string }).help

/** What a tier adds to the lower ones, and whether the chosen one has it. */
function Tier({ tariff, owned }: { tariff: Tariff; owned: boolean }) {
  const all: readonly Page[] = pages
  const names = all
    .filter((page) => !page.public && !page.path.includes(':') && (gateOf(page.path)?.tariff ?? tariffs[0]) === tariff)
    .map((page) => page.title)
  return (
    <HStack component="li" gap={8} align="flex-start" c={owned ? undefined : 'dimmed'}>
      {owned ? (
        <IconCheck size={18} aria-label="входит" style={{ flexShrink: 0 }} />
      ) : (
        <IconLock size={18} aria-label="не входит" style={{ flexShrink: 0 }} />
      )}
      <span>
        {tariffLabels[tariff]}: {names.join(', ')}
      </span>
    </HStack>
  )
}

/** As the list has them, so that a module taken out and put back is no change. */
const inOrder = (chosen: readonly Module[]): Module[] =>
  (Object.keys(moduleLabels) as Module[]).filter((name) => chosen.includes(name))
