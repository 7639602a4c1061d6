import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const visitPages = [
  {
    key: 'calendar',
    path: 'calendar',
    title: 'Расписание',
    help: 'Записи по врачам и кабинетам, неделя врача, загрузка месяца, смены',
    names: 'график врача смена смены кабинет кабинеты календарь',
    section: 'reception',
    icon: 'calendar',
    any: ['viewCalendar', 'viewAllAppointments'],
    menu: true,
    makes: {
      label: 'Новая запись',
      any: ['createAppointments'],
      search: { book: true },
      names: 'записать на приём',
    },
    does: [
      {
        label: 'Врача не будет',
        any: ['editShifts', 'markAbsence'],
        search: { absent: true },
        names: 'врач заболел болеет не выйдет отпуск отгул отсутствие больничный врача',
      },
    ],
  },
  {
    key: 'daySheet',
    path: 'calendar/day-sheet',
    title: 'Лист дня',
    help: 'Кто придёт, кто пришёл, кто ждёт и опаздывает',
    section: 'reception',
    icon: 'daySheet',
    any: ['viewCalendar', 'viewAllAppointments'],
    menu: true,
  },
  {
    key: 'waitingList',
    path: 'calendar/waiting-list',
    title: 'Лист ожидания',
    help: 'Кто ждёт свободного времени и кому его предложить',
    section: 'reception',
    icon: 'waitingList',
    any: ['createAppointments', 'editAppointments'],
    menu: true,
    makes: { label: 'Новое ожидание приёма', any: ['createAppointments'], names: 'в лист ожидания' },
  },
] as const satisfies readonly Page[]

/** Set-up pages of this area; the model’s `pages.ts` adds them to the list. */
export const visitSetUp = [
  {
    key: 'equipment',
    path: 'settings/equipment-kinds',
    title: 'Виды оборудования',
    help: 'Аппараты и места, которые занимают записи: сколько их в филиале, каким услугам они нужны',
    section: 'settings',
    group: 'clinic',
    icon: 'equipment',
    any: ['mainSettings'],
    entity: 'equipment-kinds',
    makes: { label: 'Новый вид оборудования', any: ['mainSettings'], rare: true },
  },
] as const satisfies readonly Page[]
