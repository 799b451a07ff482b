import type { Described } from '../base/described.ts'

export const MINI_APP_EVENTS = [
  'MainButtonPressed',
  'SettingsButtonPressed',
  'InvoiceClosed',
  'PopupClosed',
  'QRCodeScanned',
  'ClipboardChanged',
  'WriteAccessGranted',
  'WriteAccessRejected',
  'WriteAccessRequested',
  'ContactRequestAccepted',
  'ContactRequestRejected',
  'ContactRequestSent',
  'WalletConnected',
] as const

export const MESSENGER_EVENTS = [
  'inline_query',
  'chosen_inline_result',
  'message',
  'edited_message',
  'shipping_query',
  'pre_checkout_query',
  'callback_query',
  'channel_post',
  'edited_channel_post',
  'message_reaction',
  'poll',
  'poll_answer',
  'my_chat_member',
  'chat_member',
  'chat_join_request',
  'chat_boost',
  'removed_chat_boost',
  'message_reaction_count',
  'bot_blocked',
  'bot_unblocked',
] as const

export const ADVANCED_FEATURES = [
  'channel_events_tracking',
  'wallet_connected',
  'post_schedule_analytics',
  'post_comments_analytics',
] as const

/** Further events of mini-apps, which only Mauve's own client captures. */
export const FURTHER_MINI_APP_EVENTS = [
  'HomeScreenAdded',
  'FullscreenChanged',
  'FullscreenFailed',
  'ShareMessageSent',
  'ShareMessageFailed',
  'EmojiStatusSet',
  'EmojiStatusFailed',
  'BackButtonPressed',
  'SecondaryButtonPressed',
  'FileDownloadRequested',
  'ChatRequested',
  'LocationRequested',
] as const

/** Further types of update, which only Mauve's own client captures; `other` stands for types that it does not know. */
export const FURTHER_MESSENGER_EVENTS = [
  'subscription',
  'purchased_paid_media',
  'business_connection',
  'business_message',
  'edited_business_message',
  'guest_message',
  'managed_bot',
  'stopped_message_generation',
  'other',
] as const

/** What a tracking client captures by itself; the field names are those of the client configuration. */
export type CaptureSettings = Described['capture']
/** Changes of some settings: what they leave out stays. */
export type CaptureChanges = Described['captureChanges']

/** The settings of a newly registered application. */
export const DEFAULT_CAPTURE: CaptureSettings = {
  auto_capture: true,
  auto_capture_tags: ['a', 'button'],
  auto_capture_classes: [],
  auto_capture_mini_app_events: [],
  auto_capture_commands: [],
  auto_capture_messages: [],
  auto_capture_telegram: false,
  auto_capture_telegram_events: [],
  advanced_tracking_features: [],
  mauve: { mini_app_events: [], telegram_events: [], foreground_time: false, errors: false },
}

/** The settings as they were stored, which may be by an earlier release. */
export function completeCapture(
  stored: Partial<Omit<CaptureSettings, 'mauve'>> & { readonly mauve?: Partial<CaptureSettings['mauve']> },
): CaptureSettings {
  return { ...DEFAULT_CAPTURE, ...stored, mauve: { ...DEFAULT_CAPTURE.mauve, ...stored.mauve } }
}
