CREATE TABLE `consents` (
	`chat_id` integer NOT NULL,
	`account_id` text NOT NULL,
	`telegram_id` integer,
	`at` integer NOT NULL,
	PRIMARY KEY(`chat_id`, `account_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
-- Members who signed in, by what still shows it.
INSERT INTO `consents` (`chat_id`, `account_id`, `telegram_id`, `at`)
SELECT members.telegram_id, members.account_id, members.telegram_id, max(signed_in.at)
FROM members JOIN (
	SELECT account_id, cast(actor_id as integer) as telegram_id, at FROM audit_entries WHERE actor = 'member' AND action = 'signIn'
	UNION ALL
	SELECT account_id, telegram_id, created_at FROM dashboard_sessions WHERE telegram_id IS NOT NULL
) AS signed_in ON signed_in.account_id = members.account_id AND signed_in.telegram_id = members.telegram_id AND signed_in.at >= members.created_at
GROUP BY members.account_id, members.telegram_id;--> statement-breakpoint
-- Chats of subscriptions that are on. Before the next message an administrator is looked for who signed in. Names change hands, so they are left out.
INSERT INTO `consents` (`chat_id`, `account_id`, `telegram_id`, `at`)
SELECT DISTINCT cast(subscriptions.target ->> 'chat_id' as integer), applications.account_id, null, 0
FROM subscriptions JOIN applications ON applications.id = subscriptions.application_id
WHERE subscriptions.target ->> 'type' = 'chat' AND subscriptions.target ->> 'chat_id' LIKE '-%' AND subscriptions.next_at IS NOT NULL;
