import { Button, Switch, TagsInput, TextInput } from '@mantine/core'
import type { UserSettingGroup, UserSettingGroups } from '@ordinator/model/areas/settings/userSettings'
import { parseTime } from '@ordinator/model/format'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../../../base/api.ts'
import { useAccount } from '../../../base/session.ts'
import { useOwnSettings } from '../../../base/useOwnSettings.ts'
import { askPopupPermission, popupPermission } from '../../notifications/index.ts'
import classes from './Profile.module.css'

/** The own settings. Each is saved as soon as it is changed. */

export function MainTab() {
  const [main, change] = useOwnSettings('main')
  const allowed = main.messageNotifyAllowed
  return (
    <>
      <Flags group="main" heading="Экран" flags={screenFlags} />
      <Flags group="main" heading="Звук и уведомления браузера" flags={messageFlags} />
      <BrowserPopups allowed={allowed} />
      <div className={classes.setting}>
        <div className={classes.settingText}>
          Часы уведомлений
          <div className={classes.hint}>В другое время сообщения видны только в программе</div>
        </div>
        <div className={classes.times}>
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
        </div>
      </div>
    </>
  )
}

export function NotificationsTab() {
  const [{ sourceNamesLiveAssist, liveAssist }, change] = useOwnSettings('notifications')
  return (
    <>
      <Flags group="notifications" heading="Задачи" flags={taskFlags} />
      <Flags group="notifications" heading="Чаты" flags={chatFlags} />
      <div className={classes.setting}>
        <TagsInput
          style={{ flex: 1 }}
          label="Источники чата поддержки"
          description="Пусто — уведомления приходят по всем источникам. Название добавляется клавишей Enter"
          placeholder={sourceNamesLiveAssist.length ? undefined : 'Например, Telegram'}
          disabled={!liveAssist}
          value={sourceNamesLiveAssist}
          onChange={(names) => void change({ sourceNamesLiveAssist: names })}
        />
      </div>
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

type FlagList<G extends UserSettingGroup> = readonly { name: FlagName<G>; label: string; hint?: string }[]

const screenFlags: FlagList<'main'> = [
  { name: 'pinLeftMenu', label: 'Закрепить левое меню', hint: 'Иначе оно раскрывается при наведении' },
  { name: 'showTableBorders', label: 'Границы ячеек в таблицах' },
  { name: 'modalBackgroundClose', label: 'Закрывать окна щелчком по фону' },
  { name: 'showServerName', label: 'Показывать название сервера' },
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
  { name: 'sendToTg', label: 'Присылать и в Telegram', hint: 'Если учётная запись связана с ботом клиники' },
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
      <h2 className={classes.heading}>{heading}</h2>
      {flags.map(({ name, label, hint }) => (
        <div key={name} className={classes.setting}>
          <label htmlFor={`${id}${name}`} className={classes.settingText}>
            {label}
            {hint && <div className={classes.hint}>{hint}</div>}
          </label>
          <Switch
            id={`${id}${name}`}
            checked={value[name] as boolean}
            onChange={(event) => void change({ [name]: event.currentTarget.checked } as Partial<UserSettingGroups[G]>)}
          />
        </div>
      ))}
    </section>
  )
}

const popupWords = {
  granted: 'Браузер показывает уведомления этой программы',
  denied: 'Запрещены в браузере. Разрешить их можно в его настройках для этого сайта',
  default: 'Браузер ещё не спрашивали',
  absent: 'Этот браузер их не показывает, или программа открыта не по https',
}

/** The browser asks the person once, and only after this click. */
function BrowserPopups({ allowed }: { allowed: boolean }) {
  const [permission, setPermission] = useState(popupPermission)
  return (
    <div className={classes.setting}>
      <div className={classes.settingText}>
        Всплывающие окна браузера
        <div className={classes.hint}>{popupWords[permission]}</div>
      </div>
      {permission === 'default' && (
        <Button variant="default" disabled={!allowed} onClick={() => void askPopupPermission().then(setPermission)}>
          Разрешить
        </Button>
      )}
    </div>
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
    <div className={classes.setting}>
      <label htmlFor={id} className={classes.settingText}>
        Присылать уведомления на почту
        <div className={classes.hint}>{hint}</div>
      </label>
      <Switch
        id={id}
        checked={sendToEmail}
        disabled={!channels.data?.mail || (!email && !sendToEmail)}
        onChange={(event) => void change({ sendToEmail: event.currentTarget.checked })}
      />
    </div>
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
