/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const visitPermissions = {
  // Proposed: the specification names none of these.
  viewCalendar: 'Календарь: свой день и дни своих филиалов',
  viewAllAppointments: 'Записи всех врачей и филиалов',
  createAppointments: 'Запись пациентов',
  editAppointments: 'Записи: перенос, отмена, отметки прихода',
  editVisitPrices: 'Цены и скидки услуг визита',
  overbookAppointments: 'Запись сверх расписания и вне смен',
  editPastAppointments: 'Запись задним числом',
  reopenVisit: 'Возобновить завершённый визит',
  editShifts: 'Смены и отсутствия сотрудников',
  markAbsence: 'Врача не будет: отметить отсутствие врача своего филиала',
} as const
