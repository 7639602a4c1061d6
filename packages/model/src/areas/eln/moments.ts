export const snilsMoments = {
  hand: 'По кнопке в карте',
  create: 'Когда создана карта',
  visit: 'Перед первым визитом',
  sickLeave: 'Перед больничным листом',
  document: 'Перед отправкой документа в РЭМД',
} as const
