CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`application_id` integer,
	`scope` text NOT NULL,
	`last_four` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `api_keys_by_account` ON `api_keys` (`account_id`);--> statement-breakpoint
CREATE TABLE `applications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` text NOT NULL,
	`account_id` text NOT NULL,
	`handle` text NOT NULL,
	`name` text NOT NULL,
	`link` text NOT NULL,
	`description` text NOT NULL,
	`photo_url` text NOT NULL,
	`public_key` text NOT NULL,
	`sealed_private_key` text NOT NULL,
	`capture` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `applications_project_id_unique` ON `applications` (`project_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `applications_by_handle` ON `applications` (lower("handle"));--> statement-breakpoint
CREATE INDEX `applications_by_account` ON `applications` (`account_id`);--> statement-breakpoint
CREATE TABLE `contexts` (
	`id` integer PRIMARY KEY NOT NULL,
	`application_id` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`language` text,
	`is_premium` integer,
	`referrer_type` text,
	`os` text,
	`device` text,
	`brand` text,
	`model` text,
	`country` text,
	`city` text,
	`write_access` integer,
	`start_parameter` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contexts_by_fingerprint` ON `contexts` (`application_id`,`fingerprint`);--> statement-breakpoint
CREATE TABLE `daily_figures` (
	`application_id` integer NOT NULL,
	`day` integer NOT NULL,
	`active_users` integer NOT NULL,
	`monthly_active_users` integer NOT NULL,
	`new_users` integer NOT NULL,
	`premium_users` integer NOT NULL,
	`non_premium_users` integer NOT NULL,
	`events` integer NOT NULL,
	`sessions` integer NOT NULL,
	PRIMARY KEY(`application_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `dirty_days` (
	`application_id` integer NOT NULL,
	`day` integer NOT NULL,
	`mark` integer NOT NULL,
	`marked_at` integer NOT NULL,
	PRIMARY KEY(`application_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `event_ids` (
	`application_id` integer NOT NULL,
	`event_id` blob NOT NULL,
	PRIMARY KEY(`application_id`, `event_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `event_names` (
	`id` integer PRIMARY KEY NOT NULL,
	`application_id` integer NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_names_by_name` ON `event_names` (`application_id`,`name`);--> statement-breakpoint
CREATE TABLE `events` (
	`application_id` integer NOT NULL,
	`name_id` integer NOT NULL,
	`time` integer NOT NULL,
	`telegram_id` integer NOT NULL,
	`event_key` integer NOT NULL,
	`context_id` integer NOT NULL,
	`params` text,
	PRIMARY KEY(`application_id`, `name_id`, `time`, `telegram_id`, `event_key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sessions` (
	`application_id` integer NOT NULL,
	`telegram_id` integer NOT NULL,
	`session` text NOT NULL,
	`day` integer NOT NULL,
	PRIMARY KEY(`application_id`, `telegram_id`, `session`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `user_days` (
	`application_id` integer NOT NULL,
	`day` integer NOT NULL,
	`telegram_id` integer NOT NULL,
	`events` integer NOT NULL,
	`sessions` integer NOT NULL,
	`last_stamp` integer NOT NULL,
	`last_context_id` integer NOT NULL,
	PRIMARY KEY(`application_id`, `day`, `telegram_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `users` (
	`application_id` integer NOT NULL,
	`telegram_id` integer NOT NULL,
	`first_active_at` integer NOT NULL,
	`last_active_at` integer NOT NULL,
	`total_events` integer NOT NULL,
	`total_sessions` integer NOT NULL,
	`language` text,
	`is_premium` integer,
	`country` text,
	`city` text,
	`provider` text,
	`curr_balance` real NOT NULL,
	`curr_volume` real NOT NULL,
	`utm` text,
	`username` text,
	`firstname` text,
	`lastname` text,
	`device` text,
	`brand` text,
	`model` text,
	`language_stamp` integer NOT NULL,
	`is_premium_stamp` integer NOT NULL,
	`country_stamp` integer NOT NULL,
	`city_stamp` integer NOT NULL,
	`provider_stamp` integer NOT NULL,
	`curr_balance_stamp` integer NOT NULL,
	`utm_stamp` integer NOT NULL,
	`username_stamp` integer NOT NULL,
	`firstname_stamp` integer NOT NULL,
	`lastname_stamp` integer NOT NULL,
	`device_stamp` integer NOT NULL,
	`brand_stamp` integer NOT NULL,
	`model_stamp` integer NOT NULL,
	PRIMARY KEY(`application_id`, `telegram_id`)
) WITHOUT ROWID;
