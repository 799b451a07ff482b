/** The event that the reference sends. */
export const SAMPLE_EVENT = {
  event_type: 'Lemon bought',
  telegram_id: 7234567890,
  datetime: '2026-11-20T10:15:30Z',
  event_id: 'order-4711',
  session_id: '1',
  language: 'en',
  country: 'DE',
  is_premium: true,
  params: { amount: 250, item: 'lemon' },
}
