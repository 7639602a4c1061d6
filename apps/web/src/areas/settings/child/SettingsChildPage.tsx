import { Alert, Anchor, Box } from '@mantine/core'
import { type CommonSettingName, settingsChildren } from '@ordinator/model/areas/settings/commonSettings'
import type { SettingsChild } from '@ordinator/model/areas/settings/setting'
import { pageAllowed, pageByKey, pagePath } from '@ordinator/model/pages'
import { laterAreas, waitsFor } from '@ordinator/model/waiting'
import { IconClockHour4, IconHistory } from '@tabler/icons-react'
import { Link, useMatches } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { RetentionCount } from '#areas/centre/index.ts'
import { DefaultConsents } from '#areas/consents/index.ts'
import { ConnectionLines } from '#areas/exchange/index.ts'
import { MissingOnSite } from '#areas/site/index.ts'
import { BackupsBlock } from '#areas/upkeep/index.ts'
import { useAddress } from '#base/address.ts'
import { ApiError } from '#base/apiError.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CopyField } from '#kit/CopyField.tsx'
import { formatDate } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormPart } from '#kit/FormPart.tsx'
import { failureWords } from '#kit/failureWords.ts'
import { PageHead } from '#kit/PageHead.tsx'
import { Revealed, RevealTogether, useRevealed } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { StickyFoot } from '#kit/StickyFoot.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { useUnsavedGuard } from '#kit/useUnsavedGuard.ts'
import { Dotted, Fine } from '#kit/Words.tsx'
import { ChangesPanel } from '../changes/ChangesPanel.tsx'
import { type SettingsDraft, type SettingsState, useSettingsDraft, useSettingsState } from '../useSettings.ts'
import { NormsImport } from './NormsImport.tsx'
import classes from './SettingField.module.css'
import { fieldId, SettingField } from './SettingField.tsx'

const SETTLED_MS = 50
/** «Подключения»: systems configured by each group. */
const connectionsOf: Readonly<Record<string, (key: string) => boolean>> = {
  'СМС-шлюз': (key) => key === 'sms' || key === 'smsBalance',
  'Облачная телефония': (key) => key === 'mango' || key === 'zadarma',
  Почта: (key) => key === 'mail',
  Нейросеть: (key) => key === 'llm',
  'Распознавание речи': (key) => key === 'asr',
  'Яндекс Метрика': (key) => key === 'metrika',
}

/** A page of the clinic's settings, generated from its declaration. */
export default function SettingsChildPage() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.page })
  const child = settingsChildren.find((one) => one.page === page?.key)
  const found = useSettingsState()
  if (!page || !child) return null
  return (
    <RevealTogether key={page.key} busy={found.isPending}>
      <PageHead title={page.title} help={page.help} actions={page.key === 'warehouseSettings' && <NormsImport />} />
      <Box px="var(--ord-page)" pt={8} pb={32} maw={768}>
        <Revealed fallback={<LinesSkeleton lines={8} />}>
          {found.isError && (
            <ErrorState title="Настройки не загрузились" error={found.error} onRetry={() => void found.refetch()} />
          )}
          {page.key === 'mainSettings' && <MissingOnSite />}
          {page.key === 'customersSettings' && (
            <Box mb={16}>
              <DefaultConsents />
            </Box>
          )}
          {page.key === 'backups' && <BackupsBlock />}
          {found.data && <SettingsForm key={page.key} child={child} title={page.title} state={found.data} />}
        </Revealed>
      </Box>
    </RevealTogether>
  )
}

interface FormProps {
  child: SettingsChild
  title: string
  state: SettingsState
}

function SettingsForm({ child, title, state }: FormProps) {
  const draft = useSettingsDraft(state)
  const [openedSetting, setOpenedSetting] = useState<CommonSettingName>()
  const { dirty, save } = draft
  useUnsavedGuard(dirty && !save.isPending)
  const sought = useFound()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (dirty && !save.isPending) save.mutate()
  }
  const fault =
    save.error instanceof ApiError && save.error.status === 422 ? undefined : save.error && failureWords(save.error)
  return (
    <VStack component="form" gap={16} onSubmit={onSubmit} noValidate aria-label={title}>
      {child.waits && (
        <Alert color="gray" icon={<IconClockHour4 size={18} />} title="Пока не подключено">
          Настройки хранятся и проверяются, но ещё ни на что не влияют: они заработают с разделом «
          {laterAreas[child.waits].title}».
        </Alert>
      )}
      {Object.entries(child.groups).map(([group, all]) => (
        <FormPart key={group} title={group}>
          {Object.entries(all).map(([key, { wide, input, byDefault, waits, when, callback }]) => {
            const name = key as CommonSettingName
            // The setting named in the URL is shown regardless of its condition.
            if (when && name !== sought && !when.is.includes(String(draft.valueOf(when.setting as CommonSettingName))))
              return null
            const entered = callback?.[String(draft.valueOf(name))]
            const isSwitch = input?.kind === 'switchOf' || (!input && typeof byDefault === 'boolean')
            const isWide = wide || isSwitch || input?.kind === 'tariff'
            return (
              <div
                key={name}
                className={classes.field}
                data-wide={isWide || undefined}
                data-found={name === sought || undefined}
              >
                <SettingField name={name} draft={draft} />
                {entered && <CopyField label={entered.label} value={new URL(entered.path, location.origin).href} />}
                {waits && <Fine>Пока не подключено. {waitsFor(waits)}</Fine>}
                <Mark name={name} state={state} onOpen={() => setOpenedSetting(name)} />
              </div>
            )
          })}
          {'chatsMonths' in all && <Retention draft={draft} />}
          {connectionsOf[group] && (
            <div data-wide className={classes.field}>
              <ConnectionLines of={connectionsOf[group]} />
            </div>
          )}
        </FormPart>
      ))}
      {child.page === 'connections' && (
        <FormPart title="Кассы, терминалы и агенты">
          <div data-wide className={classes.field}>
            <Fine component="p" mb={8}>
              Их заводят на страницах <PageLink page="cashDesks">Рабочие места касс</PageLink> и{' '}
              <PageLink page="deskAgents">Агенты касс</PageLink>.
            </Fine>
            <ConnectionLines of={(key) => /^(?:kkt|terminal|agent)-/.test(key)} />
          </div>
        </FormPart>
      )}
      <Beside child={child} />
      {fault && (
        <Alert color="red" role="alert">
          {fault}
        </Alert>
      )}
      <StickyFoot>
        <ActionButton label="Сохранить" type="submit" loading={save.isPending} disabled={!dirty} />
        {dirty && <ActionButton label="Отменить изменения" reverse variant="default" onClick={draft.drop} />}
      </StickyFoot>
      <ChangesPanel name={openedSetting} onClose={() => setOpenedSetting(undefined)} />
    </VStack>
  )
}

/** Scrolls to and focuses the setting named in the URL, once. */
function useFound(): string | undefined {
  const [{ setting }] = useAddress(readSetting)
  const revealed = useRevealed()
  useEffect(() => {
    if (!setting || !revealed) return
    // After the router's own scroll to the top.
    const timer = setTimeout(() => {
      const field = document.getElementById(fieldId(setting as CommonSettingName))
      field?.scrollIntoView({ block: 'center' })
      field?.focus({ preventScroll: true })
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [setting, revealed])
  return setting
}
const readSetting = ({ setting }: Record<string, unknown>) => ({
  setting: typeof setting === 'string' ? setting : undefined,
})

/** Last editor, with a link to the history. */
function Mark({
  name,
  state: { marks },
  onOpen,
}: {
  name: CommonSettingName
  state: SettingsState
  onOpen: () => void
}) {
  const mark = marks[name]
  if (!mark) return null
  return (
    <Fine component="div" mt={4}>
      <Dotted>
        <Anchor component="button" type="button" size="xs" c="dimmed" title="История" onClick={onOpen}>
          <HStack component="span" gap={4} display="inline-flex">
            <IconHistory size={14} aria-hidden />
            {formatDate(mark.dateChange)}
          </HStack>
        </Anchor>
        {mark.user && <UserLink user={mark.user} />}
      </Dotted>
    </Fine>
  )
}

function Retention({ draft }: { draft: SettingsDraft }) {
  return (
    <div data-wide>
      <RetentionCount
        recordings={draft.valueOf('recordingsMonths') as number}
        transcripts={draft.valueOf('transcriptsMonths') as number}
        chats={draft.valueOf('chatsMonths') as number}
      />
    </div>
  )
}

/** Links to pages with the rest of the subject. */
function Beside({ child }: { child: SettingsChild }) {
  const actor = useActor()
  const open = (child.beside ?? []).map(pageByKey).filter((page) => pageAllowed(page, actor))
  if (open.length === 0) return null
  return (
    <HStack gap={12} wrap>
      <Fine>Рядом:</Fine>
      {open.map((page) => (
        <Anchor key={page.key} component={Link} to={pagePath(page.key as 'settings')} size="sm">
          {page.title}
        </Anchor>
      ))}
    </HStack>
  )
}
