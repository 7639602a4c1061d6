// Permissions of this area by the groups of `permissions.ts`, which joins them.

export const customerPermissions = {
  viewCustomers: 'Клиенты: просмотр', // proposed
  editCustomers: 'Клиенты: изменение', // proposed
  personalData: 'Персональные данные: копия для клиента и уничтожение', // proposed
  passDuplicates: 'Клиенты: вторая карта с тем же СНИЛС или полисом', // proposed
} as const

export const accessLogPermissions = {
  viewAccessLog: 'Журнал доступа к данным клиентов', // proposed
} as const
