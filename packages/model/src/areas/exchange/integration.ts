/** How an outside system is connected. */
export const adapterModes = {
  prod: 'Рабочий режим',
  test: 'Тестовый режим',
  simulator: 'Имитатор',
  off: 'Не подключено',
} as const
export type AdapterMode = keyof typeof adapterModes

/** What is known of the connection. */
export const adapterStates = {
  works: 'Работает',
  fails: 'Не работает',
  unknown: 'Ещё не проверялось',
  off: 'Не подключено',
} as const
export type AdapterState = keyof typeof adapterStates

/** Pages on which systems are connected; the others are settings of the server. */
export const adapterPages = [
  'attachmentSettings',
  'cashDesks',
  'chatChannels',
  'connections',
  'deskAgents',
  'elnSettings',
  'mdlp',
  'sosnils',
  'webhooks',
] as const
/** Settings of the clinic that switch the mode of a system. */
export const modeSettings = ['smsMode', 'mailMode', 'mdlpMode', 'llmMode', 'asrMode', 'metrikaMode'] as const
export type ModeSetting = (typeof modeSettings)[number]
/** Days before the end of a certificate from which it is told of as soon over. */
export const CERTIFICATE_DAYS = 14

/** Minutes of trouble after which administrators are told. */
export const TELL_AFTER_MINUTES = 15
/** Errors of a day above which they are not counted. */
export const MOST_ERRORS = 1_000
