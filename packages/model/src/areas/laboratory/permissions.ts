/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const laboratoryPermissions = {
  viewKdlModuleOrders: 'КДЛ: заказы, просмотр',
  editKdlModuleOrders: 'КДЛ: заказы, изменение',
  viewLaboratoriesOrders: 'Заказы лаборатории',
  editLaboratories: 'Лаборатории',
  orderLaboratory: 'Заказы анализов: оформление и отмена', // proposed
  takeLabSamples: 'Пробы: взятие, отправка, приём, брак', // proposed
  enterLabResults: 'Результаты: ввод и техническая проверка', // proposed
  approveLabResults: 'Результаты: врачебная проверка', // proposed
  issueLabResults: 'Результаты: выдача и отправка пациенту', // proposed
} as const
