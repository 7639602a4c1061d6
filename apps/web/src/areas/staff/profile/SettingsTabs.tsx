import { Switch, TagsInput, TextInput, Title } from '@mantine/core'
import type { UserSettingGroup, UserSettingGroups } from '@ordinator/model/areas/settings/userSettings'
import { parseTime } from '@ordinator/model/format'
import { waitingOwnSettings, waitsFor } from '@ordinator/model/waiting'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { askPopupPermission, popupPermission } from '#areas/notifications/index.ts'
import { api } from '#base/api.ts'
import { useAccount } from '#base/session.ts'
import { useOwnSettings } from '#base/useOwnSettings.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './Profile.module.css'

/** Own settings, each saved on change. */

export function MainTab() {
  const [main, change] = useOwnSettings('main')
  const allowed = main.messageNotifyAllowed
  return (
    <>
      <Flags group="main" heading="Экран" flags={screenFlags} />
      <Flags group="main" heading="Звук и уведомления браузера" flags={messageFlags} />
      <BrowserPopups allowed={allowed} />
      <HStack gap={16} justify="space-between" rule="bottom" py={8} mih={48}>
        <div className={classes.settingText}>
          Часы уведомлений
          <Fine component="div">В другое время сообщения видны только в программе</Fine>
        </div>
        <HStack align="flex-start">
          <TimeSetting
            label="С"
            value={main.messageNotifyTimeStart}
            disabled={!allowed}
            onChange={(time) => void change({ messageNotifyTimeStart: time })}
          />
          <TimeSetting
            label="До"
            value={main.messageNotifyTimeEnd}
            disabled={!allowed}
            onChange={(time) => void change({ messageNotifyTimeEnd: time })}
          />
        </HStack>
      </HStack>
    </>
  )
}

export function NotificationsTab() {
  const [{ sourceNamesLiveAssist, liveAssist }, change] = useOwnSettings('notifications')
  const sources = waitingOwnSettings['notifications.sourceNamesLiveAssist']
  return (
    <>
      <Flags group="notifications" heading="Задачи" flags={taskFlags} />
      <Flags group="notifications" heading="Сделки, регламенты и новости" flags={areaFlags} />
      <Flags group="notifications" heading="Чаты" flags={chatFlags} />
      <HStack gap={16} justify="space-between" rule="bottom" py={8} mih={48}>
        <TagsInput
          style={{ flex: 1 }}
          label="Источники чата поддержки"
          description={
            waitsFor(sources) ?? 'Пусто — уведомления приходят по всем источникам. Название добавляется клавишей Enter'
          }
          placeholder={sourceNamesLiveAssist.length ? undefined : 'Например, Telegram'}
          disabled={sources !== undefined || !liveAssist}
          value={sourceNamesLiveAssist}
          onChange={(names) => void change({ sourceNamesLiveAssist: names })}
        />
      </HStack>
      <Flags group="notifications" heading="Записи на приём" flags={appointmentFlags} />
      <Flags group="notifications" heading="Расписание" flags={scheduleFlags} />
      <Flags group="notifications" heading="Куда присылать" flags={channelFlags} />
      <MailSwitch />
    </>
  )
}

export function ExaminationTab() {
  return <Flags group="examinationDictionaries" heading="Словари в протоколе осмотра" flags={dictionaryFlags} />
}

type FlagName<G extends UserSettingGroup> = {
  [K in keyof UserSettingGroups[G]]: UserSettingGroups[G][K] extends boolean ? K : never
}[keyof UserSettingGroups[G]] &
  string

type FlagList<G extends UserSettingGroup> = readonly {
  name: FlagName<G>
  label: string
  hint?: string
  /** Why it is disabled. */
  off?: string
}[]

const screenFlags: FlagList<'main'> = [
  {
    name: 'pinLeftMenu',
    label: 'Закрепить левое меню',
    hint: 'Иначе разделы открываются нажатием на значок. Пока вы не выбрали, на широком экране оно закреплено',
  },
  { name: 'showTableBorders', label: 'Границы ячеек в таблицах' },
  { name: 'modalBackgroundClose', label: 'Закрывать окна щелчком по фону' },
  {
    name: 'showServerName',
    label: 'Показывать название сервера',
    hint: 'Адрес, с которым соединена программа, в верхней панели',
  },
  { name: 'showExaminationColors', label: 'Выделять осмотры цветом' },
]

const messageFlags: FlagList<'main'> = [
  {
    name: 'messageNotifyAllowed',
    label: 'Уведомлять о сообщениях',
    hint: 'Звуком и всплывающим окном браузера',
  },
]

const taskFlags: FlagList<'notifications'> = [
  { name: 'tasks', label: 'Уведомлять о задачах', hint: 'Назначения, упоминания, комментарии, сроки и напоминания' },
  { name: 'tasksMy', label: 'Только о моих задачах', hint: 'Где я создатель, исполнитель или ответственный' },
]

const areaFlags: FlagList<'notifications'> = [
  { name: 'deals', label: 'Уведомлять о сделках', hint: 'Назначения, упоминания, заявки и следующие шаги' },
  {
    name: 'regulations',
    label: 'Уведомлять о регламентах',
    hint: 'Ознакомление, согласование, вопросы и сообщения о нарушениях',
  },
  { name: 'news', label: 'Уведомлять о новостях', hint: 'Напоминания прочитать, комментарии и упоминания' },
]

const chatFlags: FlagList<'notifications'> = [
  { name: 'liveAssist', label: 'Чат поддержки' },
  { name: 'allNotifyLiveAssist', label: 'Чаты, которые ведут другие операторы' },
  { name: 'serviceOnline', label: 'Чат с пациентом' },
]

const appointmentFlags: FlagList<'notifications'> = [
  { name: 'appointmentCreate', label: 'Новая запись' },
  { name: 'appointmentChange', label: 'Изменение записи' },
  { name: 'appointmentDelete', label: 'Отмена записи' },
]

const scheduleFlags: FlagList<'notifications'> = [
  { name: 'scheduleNew', label: 'Новое расписание' },
  { name: 'scheduleUpdate', label: 'Изменение расписания' },
  { name: 'scheduleDelete', label: 'Удаление расписания' },
]

const channelFlags: FlagList<'notifications'> = [
  { name: 'sendToTg', label: 'Присылать и в Telegram', off: 'Telegram не подключён' },
]

const dictionaryFlags: FlagList<'examinationDictionaries'> = [
  { name: 'openDictionaryOnClick', label: 'Открывать словарь по щелчку в поле' },
  { name: 'showDictionaryOnTopExamination', label: 'Показывать словарь над осмотром' },
]

interface FlagsProps<G extends UserSettingGroup> {
  group: G
  heading: string
  flags: FlagList<G>
}

function Flags<G extends UserSettingGroup>({ group, heading, flags }: FlagsProps<G>) {
  const [value, change] = useOwnSettings(group)
  const id = useId()
  return (
    <section>
      <Title order={2} size="h3" mt={16} mb={4}>
        {heading}
      </Title>
      {flags.map(({ name, label, hint, off }) => {
        const why = off ?? waitsFor(waitingOwnSettings[`${group}.${name}` as keyof typeof waitingOwnSettings])
        const note = why ?? hint
        return (
          <HStack key={name} gap={16} justify="space-between" rule="bottom" py={8} mih={48}>
            <label htmlFor={`${id}${name}`} className={classes.settingText}>
              {label}
              {note && <Fine component="div">{note}</Fine>}
            </label>
            <Switch
              id={`${id}${name}`}
              // A feature that is not available yet is shown as off.
              checked={!why && (value[name] as boolean)}
              disabled={why !== undefined}
              onChange={(event) =>
                void change({ [name]: event.currentTarget.checked } as Partial<UserSettingGroups[G]>)
              }
            />
          </HStack>
        )
      })}
    </section>
  )
}

const popupWords = {
  granted: 'Браузер показывает уведомления этой программы',
  denied: 'Запрещены в браузере. Разрешить их можно в его настройках для этого сайта',
  default: 'Браузер ещё не спрашивали',
  absent: 'Этот браузер их не показывает, или программа открыта не по https',
}

/** Browsers ask for the permission once, only after a click. */
function BrowserPopups({ allowed }: { allowed: boolean }) {
  const [permission, setPermission] = useState(popupPermission)
  return (
    <HStack gap={16} justify="space-between" rule="bottom" py={8} mih={48}>
      <div className={classes.settingText}>
        Всплывающие окна браузера
        <Fine component="div">{popupWords[permission]}</Fine>
      </div>
      {permission === 'default' && (
        <ActionButton
          label="Разрешить"
          variant="default"
          disabled={!allowed}
          onClick={() => void askPopupPermission().then(setPermission)}
        />
      )}
    </HStack>
  )
}

function MailSwitch() {
  const [{ sendToEmail }, change] = useOwnSettings('notifications')
  const { email } = useAccount().user.identity
  const channels = useQuery({
    queryKey: ['notification-channels'],
    queryFn: ({ signal }) => api('GET /notifications/channels', {}, { signal, forbidden: 'silent', quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const id = useId()
  const hint =
    channels.data?.mail === false
      ? 'Почта не настроена'
      : email
        ? `Одно письмо на ${email} обо всём, что не прочитано за пять минут`
        : 'Сначала укажите электронную почту в профиле'
  return (
    <HStack gap={16} justify="space-between" rule="bottom" py={8} mih={48}>
      <label htmlFor={id} className={classes.settingText}>
        Присылать уведомления на почту
        <Fine component="div">{hint}</Fine>
      </label>
      <Switch
        id={id}
        checked={sendToEmail}
        disabled={!channels.data?.mail || (!email && !sendToEmail)}
        onChange={(event) => void change({ sendToEmail: event.currentTarget.checked })}
      />
    </HStack>
  )
}

interface TimeProps {
  label: string
  value: string
  disabled?: boolean
  onChange: (time: string) => void
}

function TimeSetting({ label, value, disabled, onChange }: TimeProps) {
  const [text, setText] = useState<string>()
  const time = text === undefined ? value : parseTime(text)
  return (
    <TextInput
      aria-label={label === 'С' ? 'Уведомлять с' : 'Уведомлять до'}
      leftSection={label}
      w={96}
      disabled={disabled}
      value={text ?? value}
      inputMode="numeric"
      placeholder="ЧЧ:ММ"
      error={time ? undefined : 'ЧЧ:ММ'}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => {
        if (!time) return
        setText(undefined)
        if (time !== value) onChange(time)
      }}
    />
  )
}
